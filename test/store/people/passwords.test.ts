import { expect, test } from "bun:test";
import type { NewPasswordReset } from "../../../src/domain/people/password-ports.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { use } from "../../support/use.ts";
import { addOwner, openTestStore } from "../support.ts";

const NOW = 1_000_000;

describeEachEngine("links that reset passwords", (engine) => {
  const scene = use(() => openTestStore(engine));

  const buildReset = (userId: string, overrides: Partial<NewPasswordReset> = {}): NewPasswordReset => ({
    id: `ver_${crypto.randomUUID()}`,
    userId,
    hash: crypto.randomUUID(),
    isMailed: false,
    expiresAt: NOW + 1_000,
    now: NOW,
    ...overrides,
  });
  const password = (passwordHash: string, now = NOW) => ({
    accountId: `acc_${crypto.randomUUID()}`,
    passwordHash,
    now,
  });

  async function stateOf(userId: string) {
    const { rows } = scene;
    const accounts = await rows.selectFrom("accounts").selectAll().where("user_id", "=", userId).execute();
    const tokens = await rows.selectFrom("tokens").select("id").where("user_id", "=", userId).execute();
    const user = await rows.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
    return {
      providers: accounts.map(({ provider_id }) => provider_id).toSorted(),
      password: accounts.find(({ provider_id }) => provider_id === "credential")?.password,
      tokens: tokens.length,
      isVerified: user.email_verified === 1,
    };
  }

  test("work once, even for many at the same time, and use up the others", async () => {
    const { people } = scene.store;
    const { userId } = await addOwner(scene);
    const [used, other] = [buildReset(userId), buildReset(userId, { isMailed: true })];
    for (const reset of [used, other]) await people.addPasswordReset(reset);
    expect(await people.hasPasswordReset(used.hash, NOW)).toBe(true);
    const hashes = Array.from({ length: 8 }, (_, number) => `hash ${number}`);
    const outcomes = await Promise.all(
      hashes.map((hash) => people.redeemPasswordReset({ hash: used.hash, ...password(hash) })),
    );
    expect(outcomes.filter((owner) => owner !== undefined)).toMatchObject([{ userId, hasPassword: true }]);
    const winner = outcomes.findIndex((owner) => owner !== undefined);
    expect(await stateOf(userId)).toMatchObject({ password: hashes[winner], tokens: 1 });
    for (const { hash } of [used, other]) expect(await people.hasPasswordReset(hash, NOW)).toBe(false);
  });

  test("expire, and do nothing for a disabled user", async () => {
    const { people } = scene.store;
    const { userId } = await addOwner(scene);
    const before = await stateOf(userId);
    const reset = buildReset(userId);
    await people.addPasswordReset(reset);
    const redeem = (now: number) => people.redeemPasswordReset({ hash: reset.hash, ...password("new", now) });
    expect(await people.hasPasswordReset(reset.hash, reset.expiresAt)).toBe(false);
    expect(await redeem(reset.expiresAt)).toBeUndefined();
    await scene.rows.updateTable("users").set({ disabled_at: 1 }).where("id", "=", userId).execute();
    expect(await people.hasPasswordReset(reset.hash, NOW)).toBe(false);
    expect(await redeem(NOW)).toBeUndefined();
    expect(await stateOf(userId)).toEqual(before);
  });

  test("give a first password to a user without one", async () => {
    const { people } = scene.store;
    const { userId } = await addOwner(scene);
    await scene.rows.updateTable("accounts").set({ password: null }).where("user_id", "=", userId).execute();
    const { email } = await scene.rows
      .selectFrom("users")
      .select("email")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    expect(await people.findEmailOwner(email)).toEqual({ userId, email, hasPassword: false });
    await people.replacePassword({ userId, ...password("first") });
    expect(await people.findEmailOwner(email)).toEqual({ userId, email, hasPassword: true });
    expect((await stateOf(userId)).password).toBe("first");
  });

  test("by mail verify the address, and remove what someone else may have added before", async () => {
    const { people } = scene.store;
    for (const isMailed of [false, true]) {
      const { userId } = await addOwner(scene);
      await scene.rows.updateTable("users").set({ email_verified: 0 }).where("id", "=", userId).execute();
      const identity = { id: `acc_${userId}`, user_id: userId, provider_id: "https://login.example.org" };
      await scene.rows
        .insertInto("accounts")
        .values({ ...identity, account_id: userId, created_at: 1, updated_at: 1 })
        .execute();
      const reset = buildReset(userId, { isMailed });
      await people.addPasswordReset(reset);
      await people.redeemPasswordReset({ hash: reset.hash, ...password("new") });
      expect(await stateOf(userId)).toEqual(
        isMailed
          ? { providers: ["credential"], password: "new", tokens: 0, isVerified: true }
          : { providers: ["credential", identity.provider_id], password: "new", tokens: 1, isVerified: false },
      );
    }
  });
});
