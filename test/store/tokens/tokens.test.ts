import { expect, test } from "bun:test";
import type { Instant, Scope } from "../../../src/domain/model/entities.ts";
import type { TokenStore } from "../../../src/domain/tokens/ports.ts";
import { createTokens } from "../../../src/domain/tokens/tokens.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { ALL_SCOPES, random } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { addOwner, failureOf, openTestStore } from "../support.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

describeEachEngine("tokens", (engine) => {
  const shared = use(() => openTestStore(engine));

  /** Creates tokens with a clock that the test sets, and records what they ask of the store. */
  function createTimedTokens(overrides: Partial<TokenStore> = {}) {
    const time = { now: START };
    const lookups: string[] = [];
    const touches: Promise<void>[] = [];
    const { store } = shared;
    const tokenStore: TokenStore = {
      ...store.tokens,
      findCaller(hash, now) {
        lookups.push(hash);
        return store.tokens.findCaller(hash, now);
      },
      touchToken(touch) {
        const touched = store.tokens.touchToken(touch);
        touches.push(touched);
        return touched;
      },
      ...overrides,
    };
    const clock = { now: (): Instant => time.now };
    const tokens = createTokens({ store: { people: store.people, tokens: tokenStore }, clock, random });
    return { ...tokens, time, lookups, touches };
  }

  const scopes: readonly Scope[] = ALL_SCOPES;

  async function expectRefused(
    attempt: Promise<unknown>,
    message = "The access token isn't valid. It may have expired or been revoked. Create a new one.",
  ): Promise<void> {
    expect(await failureOf(attempt)).toMatchObject({ kind: "Unauthenticated", message });
  }

  test("a token acts for its user, with its scopes, in its workspace", async () => {
    const { slug, userId, workspaceId } = await addOwner(shared);
    const tokens = createTimedTokens();
    const { id, token } = await tokens.create({ userSlug: slug, scopes: ["reports:read", "reports:delete"] });
    const caller = await tokens.authenticate(token);
    expect(caller).toMatchObject({ userId, credentialId: id, workspace: { id: workspaceId, slug, role: "owner" } });
    expect([...caller.scopes].toSorted()).toEqual(["reports:delete", "reports:read"]);
    expect(caller.memberships.map((membership) => membership.id)).toEqual([workspaceId]);
  });

  test("a token is valid until its last millisecond and no longer", async () => {
    const { slug } = await addOwner(shared);
    const tokens = createTimedTokens();
    const { token } = await tokens.create({ userSlug: slug, scopes, expiresIn: 90 * MINUTE });
    const { token: lasting } = await tokens.create({ userSlug: slug, scopes });
    const at = new Date(START + 90 * MINUTE).toISOString();
    const expired = `The access token expired on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC. Create a new one.`;
    tokens.time.now = START + 90 * MINUTE - 1;
    expect(await tokens.authenticate(token)).toMatchObject({ workspace: { slug } });
    tokens.time.now = START + 90 * MINUTE;
    await expectRefused(tokens.authenticate(token), expired);
    tokens.time.now = START + 10_000 * 24 * 60 * MINUTE;
    await expectRefused(tokens.authenticate(token), expired);
    expect(await tokens.authenticate(lasting)).toMatchObject({ workspace: { slug } });
  });

  test("a revoked token is refused at once, the user's others are not", async () => {
    const { slug } = await addOwner(shared);
    const tokens = createTimedTokens();
    const { id, token } = await tokens.create({ userSlug: slug, scopes });
    const { token: other } = await tokens.create({ userSlug: slug, scopes });
    await tokens.revoke(slug, id);
    await expectRefused(tokens.authenticate(token));
    expect(await tokens.authenticate(other)).toMatchObject({ workspace: { slug } });
    expect(await failureOf(tokens.revoke(slug, id))).toMatchObject({ kind: "NotFound" });
  });

  test("another user's token can't be revoked", async () => {
    const [owner, another] = [await addOwner(shared), await addOwner(shared)];
    const tokens = createTimedTokens();
    const { id, token } = await tokens.create({ userSlug: owner.slug, scopes });
    expect(await failureOf(tokens.revoke(another.slug, id))).toMatchObject({ kind: "NotFound" });
    expect(await tokens.authenticate(token)).toMatchObject({ workspace: { slug: owner.slug } });
  });

  test("the time of last use is known to the minute, with one write per minute", async () => {
    const { slug } = await addOwner(shared);
    const tokens = createTimedTokens();
    const { token, id } = await tokens.create({ userSlug: slug, scopes });
    const lastUsed = async () => {
      await Promise.all(tokens.touches);
      return (await tokens.list(slug)).find((listed) => listed.id === id)?.lastUsedAt;
    };
    expect(await lastUsed()).toBeNull();
    await tokens.authenticate(token);
    expect(await lastUsed()).toBe(START);
    for (const later of [1, MINUTE - 1, MINUTE]) {
      tokens.time.now = START + later;
      await tokens.authenticate(token);
    }
    expect(await lastUsed()).toBe(START);
    expect(tokens.touches).toHaveLength(1);
    tokens.time.now = START + MINUTE + 1;
    await tokens.authenticate(token);
    expect(await lastUsed()).toBe(START + MINUTE + 1);
    expect(tokens.touches).toHaveLength(2);
  });

  test("a token works even if its last use can't be stored", async () => {
    const { slug } = await addOwner(shared);
    const tokens = createTimedTokens({ touchToken: () => Promise.reject(new Error("the disk is full")) });
    const { token } = await tokens.create({ userSlug: slug, scopes });
    expect(await tokens.authenticate(token)).toMatchObject({ workspace: { slug } });
  });

  test("a person who leaves a workspace loses the tokens for it, and the other tokens lose the workspace", async () => {
    const organization = await shared.build.organization({ roles: ["member"] });
    const [member] = organization.members;
    const workspace = await shared.store.people.findWorkspace(organization.slug);
    if (member === undefined || workspace === undefined) throw new Error("The organization was not stored.");
    const tokens = createTimedTokens();
    const { token: own } = await tokens.create({ userSlug: member.slug, scopes });
    const slugs = async () => (await tokens.authenticate(own)).memberships.map(({ slug }) => slug);
    expect(await tokens.authenticate(member.token)).toMatchObject({
      workspace: { slug: organization.slug, role: "member" },
    });
    expect((await slugs()).toSorted()).toEqual([member.slug, organization.slug].toSorted());

    const { userId } = await tokens.authenticate(own);
    await shared.rows
      .deleteFrom("memberships")
      .where("user_id", "=", userId)
      .where("workspace_id", "=", workspace.id)
      .execute();
    await expectRefused(tokens.authenticate(member.token));
    expect(await slugs()).toEqual([member.slug]);
    expect(await tokens.authenticate(organization.owner.token)).toMatchObject({
      workspace: { slug: organization.slug },
    });
  });

  test("a changed role is effective from the next request on", async () => {
    const organization = await shared.build.organization({ roles: ["member"] });
    const [member] = organization.members;
    if (member === undefined) throw new Error("The organization has no member.");
    const tokens = createTimedTokens();
    const { userId } = await tokens.authenticate(member.token);
    await shared.rows.updateTable("memberships").set({ role: "admin" }).where("user_id", "=", userId).execute();
    expect(await tokens.authenticate(member.token)).toMatchObject({ workspace: { role: "admin" } });
  });

  test("a mistyped token is refused without a lookup, an unknown one after it", async () => {
    const { slug } = await addOwner(shared);
    const tokens = createTimedTokens();
    const { token } = await tokens.create({ userSlug: slug, scopes });
    const wrong = [
      "",
      "vtr_",
      token.slice(0, -1),
      `${token}0`,
      token.toLowerCase(),
      swapAt(token, 10),
      swapAt(token, 50),
    ];
    for (const text of wrong) await expectRefused(tokens.authenticate(text));
    expect(tokens.lookups).toEqual([]);
    await tokens.authenticate(token);
    const { token: revoked, id } = await tokens.create({ userSlug: slug, scopes });
    await tokens.revoke(slug, id);
    await expectRefused(tokens.authenticate(revoked));
    expect(tokens.lookups).toHaveLength(2);
  });

  test("the text of a token is stored nowhere in the database", async () => {
    const { slug } = await addOwner(shared);
    const { token, id } = await createTimedTokens().create({ userSlug: slug, scopes });
    const row = await shared.rows.selectFrom("tokens").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(token.slice(4, 20));
  });
});

/** Replaces the letter at a position. */
const swapAt = (text: string, position: number) =>
  text.slice(0, position) + (text[position] === "a" ? "b" : "a") + text.slice(position + 1);
