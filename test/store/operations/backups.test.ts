import { afterEach, beforeEach, expect, test } from "bun:test";
import { describeEachEngine } from "../../support/engines.ts";
import { openTestStore, type TestStore } from "../support.ts";

const HOUR = 60 * 60_000;
const SUCCESS = {
  state: "succeeded",
  backup: "000001-x",
  problem: undefined,
  objects: 3,
  bytes: 5,
  copiedBytes: 4,
} as const;

describeEachEngine("backup runs", (engine) => {
  let opened: TestStore;

  beforeEach(async () => {
    opened = await openTestStore(engine);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const operations = () => opened.store.operations;
  const start = (id: string, target = "/backups", lease = HOUR) => operations().startBackup({ id, target, lease });

  test("hold all objects until they end", async () => {
    expect(await operations().isBackingUp()).toBe(false);
    await start("one");
    expect(await operations().isBackingUp()).toBe(true);
    expect(await operations().findLastBackup()).toMatchObject({ id: "one", state: "running", finishedAt: undefined });
    await operations().endBackup({ id: "one", ...SUCCESS });
    expect(await operations().isBackingUp()).toBe(false);
    expect(await operations().findLastBackup()).toMatchObject({
      target: "/backups",
      ...SUCCESS,
      startedAt: expect.any(Number),
      finishedAt: expect.any(Number),
    });
  });

  test("hold nothing once their lease has expired, and can't renew it then", async () => {
    await start("one", "/backups", -1);
    expect(await operations().isBackingUp()).toBe(false);
    expect(await operations().renewBackup({ id: "one", lease: HOUR })).toBe(false);
    expect(await operations().isBackingUp()).toBe(false);
    const stopped = { id: "one", state: "failed", problem: "It was stopped before it had finished." } as const;
    expect(await operations().findLastBackup()).toMatchObject(stopped);
  });

  test("renew their lease while they run", async () => {
    await start("one");
    expect(await operations().renewBackup({ id: "one", lease: HOUR })).toBe(true);
    await operations().endBackup({ id: "one", state: "failed", problem: "No space." });
    expect(await operations().renewBackup({ id: "one", lease: HOUR })).toBe(false);
    expect(await operations().findLastBackup()).toMatchObject({ state: "failed", problem: "No space." });
  });

  test("take the place of a killed one into the same target", async () => {
    await start("killed");
    await start("elsewhere", "s3://bucket");
    await start("one");
    await operations().endBackup({ id: "one", ...SUCCESS });
    expect(await operations().isBackingUp()).toBe(true);
    expect(await operations().renewBackup({ id: "killed", lease: HOUR })).toBe(false);
    expect(await operations().renewBackup({ id: "elsewhere", lease: HOUR })).toBe(true);
  });

  test("the one that started last is found", async () => {
    await start("first");
    await operations().endBackup({ id: "first", ...SUCCESS });
    // Two runs may start within a millisecond.
    await opened.rows
      .updateTable("backups")
      .set({ started_at: Date.now() - HOUR })
      .where("id", "=", "first")
      .execute();
    await start("second");
    await operations().endBackup({ id: "second", state: "failed", problem: "No space." });
    expect((await operations().findLastBackup())?.id).toBe("second");
  });
});
