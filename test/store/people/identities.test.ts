import { expect, test } from "bun:test";
import { newId } from "../../../src/domain/model/codes.ts";
import { createIdentities, type Identity } from "../../../src/domain/people/identities.ts";
import type { NewUser } from "../../../src/domain/people/ports.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { clock, random } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { failureOf, openTestStore } from "../support.ts";

const ISSUER = "https://login.example.org";

let made = 0;
const unique = (prefix: string) => `${prefix}-${++made}-${crypto.randomUUID().slice(0, 8)}`;

describeEachEngine("identities", (engine) => {
  const opened = use(() => openTestStore(engine));

  const linkTo = (email: string, subject = unique("subject")) =>
    opened.store.people.linkIdentity({
      issuer: ISSUER,
      subject,
      accountId: newId(random, "acc"),
      email,
      now: clock.now(),
    });

  const identity = (overrides: Partial<Identity> = {}): Identity => {
    const subject = unique("subject");
    const email = `${subject}@example.org`;
    const known = { issuer: ISSUER, subject, email, isEmailVerified: true, name: undefined };
    return { ...known, preferredUsername: undefined, ...overrides };
  };

  const buildUser = (overrides: Partial<NewUser> = {}): NewUser => {
    const slug = unique("user");
    return {
      id: newId(random, "usr"),
      accountId: newId(random, "acc"),
      workspaceId: newId(random, "wsp"),
      email: `${slug}@example.org`,
      isEmailVerified: true,
      slug,
      name: null,
      proof: { passwordHash: "hash" },
      plan: "pro",
      now: clock.now(),
      ...overrides,
    };
  };

  const waysInOf = async (userId: string) => ({
    accounts: await opened.rows.selectFrom("accounts").select("provider_id").where("user_id", "=", userId).execute(),
    tokens: await opened.rows.selectFrom("tokens").select("id").where("user_id", "=", userId).execute(),
  });

  test("belong to no one until they are linked, then to one user", async () => {
    const user = buildUser();
    await opened.store.people.addUser(user);
    const key = { issuer: ISSUER, subject: unique("subject") };
    expect(await opened.store.people.findIdentity(key)).toBeUndefined();
    expect(await linkTo(user.email, key.subject)).toEqual({ userId: user.id, wasVerified: true });
    expect(await opened.store.people.findIdentity(key)).toBe(user.id);
    expect(await opened.store.people.findIdentity({ ...key, issuer: `${ISSUER}/other` })).toBeUndefined();
    const failure = await failureOf(linkTo((await addAnother()).email, key.subject));
    expect(failure).toMatchObject({ name: "Failure", kind: "Conflict" });
    expect(await opened.store.people.findIdentity(key)).toBe(user.id);
  });

  async function addAnother(overrides: Partial<NewUser> = {}) {
    const user = buildUser(overrides);
    await opened.store.people.addUser(user);
    return user;
  }

  test("with an unknown address are not linked", async () => {
    const subject = unique("subject");
    expect(await linkTo(`${subject}@example.org`, subject)).toBeUndefined();
    expect(await opened.store.people.findIdentity({ issuer: ISSUER, subject })).toBeUndefined();
  });

  test("leave a user with a verified address every other way to sign in", async () => {
    const user = await addAnother();
    await opened.build.token({ userSlug: user.slug });
    await linkTo(user.email);
    const { accounts, tokens } = await waysInOf(user.id);
    expect(accounts.map((row) => row.provider_id).toSorted()).toEqual(["credential", ISSUER]);
    expect(tokens).toHaveLength(1);
  });

  test("remove every earlier way to sign in to an account with an unverified address, once", async () => {
    const user = await addAnother({ isEmailVerified: false });
    await opened.build.token({ userSlug: user.slug });
    expect(await linkTo(user.email)).toEqual({ userId: user.id, wasVerified: false });
    expect(await waysInOf(user.id)).toEqual({ accounts: [{ provider_id: ISSUER }], tokens: [] });
    await opened.build.token({ userSlug: user.slug });
    expect(await linkTo(user.email)).toEqual({ userId: user.id, wasVerified: true });
    const { accounts, tokens } = await waysInOf(user.id);
    expect({ accounts: accounts.length, tokens: tokens.length }).toEqual({ accounts: 2, tokens: 1 });
  });

  test("create one user each with open registration, even if all prefer one slug at the same time", async () => {
    const wished = unique("wished");
    const { identify } = createIdentities({ ...opened, clock, random, defaultPlan: "free", isSignUpOpen: true });
    const people = Array.from({ length: 12 }, () => identity({ preferredUsername: wished }));
    const found = await Promise.all(people.map(identify));
    expect(new Set(found.map(({ userId }) => userId)).size).toBe(12);
    const slugs = await opened.rows
      .selectFrom("workspaces")
      .select("slug")
      .where("slug", "like", `${wished}%`)
      .orderBy("slug")
      .execute();
    const counted = [wished, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${wished}-${number}`)];
    expect(slugs.map(({ slug }) => slug)).toEqual(expect.arrayContaining(counted));
    expect(slugs).toHaveLength(12);
  });

  test("create one user if the same one comes many times concurrently", async () => {
    const { identify } = createIdentities({ ...opened, clock, random, defaultPlan: "free", isSignUpOpen: true });
    const same = identity();
    const found = await Promise.all(Array.from({ length: 8 }, () => identify(same)));
    expect(new Set(found.map(({ userId }) => userId)).size).toBe(1);
    const rows = await opened.rows
      .selectFrom("users")
      .select("id")
      .where("email", "=", same.email ?? "")
      .execute();
    expect(rows).toHaveLength(1);
  });

  test("are linked once if the same one comes many times concurrently", async () => {
    const { identify } = createIdentities({ ...opened, clock, random, defaultPlan: "free", isSignUpOpen: false });
    const user = await addAnother();
    const same = identity({ email: user.email });
    const found = await Promise.all(Array.from({ length: 8 }, () => identify(same)));
    expect(found).toEqual(Array(8).fill({ userId: user.id, hasEndedSessions: false }));
  });
});
