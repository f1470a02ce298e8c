import { expect, test } from "bun:test";
import { operatorOfCommand, requireOperator } from "../../../src/domain/model/access.ts";
import type { ChangeEvent } from "../../../src/domain/model/events.ts";
import { createAdministration } from "../../../src/domain/operations/administration.ts";
import { sessionRef } from "../../../src/domain/people/sessions.ts";
import { hashOfToken } from "../../../src/domain/tokens/tokens.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { clock, random } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { buildPublication, failureOf, openTestStore } from "../support.ts";

const QUOTAS = { free: 1_000, pro: 1_000_000 };
const byCommand = operatorOfCommand();

describeEachEngine("administration", (engine) => {
  const scene = use(async () => {
    const opened = await openTestStore(engine);
    const published: ChangeEvent[] = [];
    const events = { publish: (event: ChangeEvent) => void published.push(event) };
    const { store } = opened;
    return {
      ...opened,
      published,
      administration: createAdministration({ store, events, clock, random, quotas: QUOTAS }),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  });

  /** Adds a user with a session and a token, as the server does. */
  async function addPerson(slug: string) {
    const { build, store } = scene;
    const { token } = await build.user({ slug });
    const { id: userId, workspaceId } = (await store.people.findUserBySlug(slug)) ?? { id: "", workspaceId: "" };
    const now = Date.now();
    const id = `ses_${slug}`;
    const session = { id, ref: sessionRef(id), token: `secret of ${slug}`, user_id: userId };
    const times = { expires_at: now + 60_000, authenticated_at: now, created_at: now, updated_at: now };
    await store.people.createAuthRow({ table: "sessions", row: { ...session, ...times } });
    return { userId, workspaceId, slug, token, session };
  }

  const access = async ({ session, token, workspaceId }: Awaited<ReturnType<typeof addPerson>>) => ({
    session: (await scene.store.people.findSession(session.token, Date.now())) !== undefined,
    byRef: (await scene.store.people.findSessionByRef(session.ref, Date.now())) !== undefined,
    standing:
      (await scene.store.people.findStandings({ workspaceId, itemId: 0, code: "" }, [session.ref], Date.now()))
        .length === 1,
    token: (await scene.store.tokens.findCaller(hashOfToken(token), Date.now())) !== undefined,
  });

  const ALL = { session: true, byRef: true, standing: true, token: true };
  const NONE = { session: false, byRef: false, standing: false, token: false };

  test("a disabled user has no session and no token, until enabled", async () => {
    const { administration, published } = scene;
    const person = await addPerson("dora");
    expect(await access(person)).toEqual(ALL);
    await administration.disableUser(byCommand, "dora");
    expect(await access(person)).toEqual(NONE);
    expect(published).toContainEqual({ kind: "sessionsEnded", userId: person.userId });
    const { disabledAt } = await administration.showUser(byCommand, "dora");
    expect(disabledAt).toBeNumber();
    await administration.disableUser(byCommand, "dora");
    expect((await administration.showUser(byCommand, "dora")).disabledAt).toBe(disabledAt);
    await administration.enableUser(byCommand, "dora");
    expect(await access(person)).toEqual({ ...NONE, token: true });
  });

  test("a session that begins while its user is disabled is refused", async () => {
    const person = await addPerson("hugo");
    await scene.rows.updateTable("users").set({ disabled_at: 1 }).where("id", "=", person.userId).execute();
    expect(await access(person)).toEqual(NONE);
    const { code } = buildPublication(person);
    await scene.store.publishing.publish(buildPublication(person, { code }));
    const find = () => scene.store.people.findSessionVersion(code, person.session.ref, Date.now());
    expect(await find()).toBeUndefined();
    await scene.rows.updateTable("users").set({ disabled_at: null }).where("id", "=", person.userId).execute();
    expect(await find()).toMatchObject({ role: "owner" });
  });

  test("only a session of an operator administers, never a token", async () => {
    const { administration, store } = scene;
    const person = await addPerson("olga");
    const sessionCaller = async () =>
      (await store.people.findSession(person.session.token, Date.now()))?.caller ?? expect.unreachable();
    const before = await sessionCaller();
    expect(() => requireOperator(before)).toThrow("Only operators");
    await administration.grantOperator(byCommand, "olga");
    const operator = requireOperator(await sessionCaller());
    const withToken = await store.tokens.findCaller(hashOfToken(person.token), Date.now());
    expect(withToken?.caller?.isOperator).toBe(false);
    expect((await failureOf(administration.disableUser(operator, "olga"))).message).toBe(
      "You can't disable your own account. Ask another operator.",
    );
    expect((await failureOf(administration.revokeOperator(operator, "olga"))).message).toBe(
      "You can't revoke your own operator role. Ask another operator.",
    );
    await administration.revokeOperator(byCommand, "olga");
    const after = await sessionCaller();
    expect(() => requireOperator(after)).toThrow("Only operators");
  });

  test("lists go page by page, and filter", async () => {
    const { administration } = scene;
    for (const slug of ["list-a", "list-b", "list-c"]) await addPerson(slug);
    await administration.disableUser(byCommand, "list-b");
    await administration.grantOperator(byCommand, "list-c");
    const first = await administration.listUsers(byCommand, { contains: "LIST-", limit: 2 });
    expect(first.entries.map(({ slug }) => slug)).toEqual(["list-a", "list-b"]);
    const second = await administration.listUsers(byCommand, { contains: "LIST-", limit: 2, after: first.next });
    expect(second).toMatchObject({ entries: [{ slug: "list-c", isOperator: true }], next: undefined });
    const slugs = async (state: "active" | "disabled" | "operator") =>
      (await administration.listUsers(byCommand, { contains: "list-", state })).entries.map(({ slug }) => slug);
    expect(await slugs("active")).toEqual(["list-a", "list-c"]);
    expect(await slugs("disabled")).toEqual(["list-b"]);
    expect(await slugs("operator")).toEqual(["list-c"]);
    expect((await administration.listUsers(byCommand, { contains: "%" })).entries).toEqual([]);
  });

  test("a user is shown with what belongs to them", async () => {
    const { administration, build, store } = scene;
    const person = await addPerson("paul");
    await store.publishing.publish(buildPublication(person, { size: 30 }));
    await build.accounts.createOrganization({ slug: "pauls", name: "Paul's", ownerSlug: "paul" });
    expect(await administration.showUser(byCommand, "paul")).toMatchObject({
      slug: "paul",
      email: "paul@example.org",
      hasPassword: true,
      issuers: [],
      isOperator: false,
      disabledAt: null,
      lastSeenAt: expect.any(Number),
      storedBytes: 30,
      reports: 1,
      sessions: 1,
      tokens: 1,
      organizations: [{ slug: "pauls", name: "Paul's", role: "owner" }],
    });
    const missing = await failureOf(administration.showUser(byCommand, "nope"));
    expect(missing.message).toBe('User "nope" not found. Check the slug.');
    expect(await administration.showOrganization(byCommand, "pauls")).toMatchObject({
      organization: { slug: "pauls", kind: "org", name: "Paul's" },
      members: [{ slug: "paul", role: "owner" }],
    });
    expect((await failureOf(administration.showOrganization(byCommand, "paul"))).message).toBe(
      'Organization "paul" not found. Check the slug.',
    );
    const { entries } = await administration.listOrganizations(byCommand, { contains: "pauls" });
    expect(entries).toMatchObject([{ slug: "pauls", members: 1, storedBytes: 0 }]);
  });

  test("workspaces are listed by storage, page by page, each once", async () => {
    const { administration, store } = scene;
    for (const [position, size] of [500, 700, 500].entries()) {
      const person = await addPerson(`storing-${position}`);
      await store.publishing.publish(buildPublication(person, { size }));
    }
    const sizes: [string, number][] = [];
    let after: { slug: string; storedBytes: number } | undefined;
    do {
      const page = await administration.listWorkspaces(byCommand, { by: "storage", after, limit: 2 });
      sizes.push(...page.entries.map(({ slug, storedBytes }): [string, number] => [slug, storedBytes]));
      after = page.next;
    } while (after !== undefined);
    expect(sizes.slice(0, 3)).toEqual([
      ["storing-1", 700],
      ["storing-0", 500],
      ["storing-2", 500],
    ]);
    expect(new Set(sizes.map(([slug]) => slug)).size).toBe(sizes.length);
    const bySlug = await administration.listWorkspaces(byCommand, { by: "slug", kind: "user" });
    const slugs = bySlug.entries.map(({ slug }) => slug);
    expect(slugs.toSorted()).toEqual(
      sizes
        .map(([slug]) => slug)
        .filter((slug) => slug !== "pauls")
        .toSorted(),
    );
  });
});
