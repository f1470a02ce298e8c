import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDirectoryFiles } from "../../../../src/blobs/backup-files-fs.ts";
import { takeLock } from "../../../../src/domain/operations/backup/lock.ts";
import { failureOf } from "../../../store/support.ts";

const MINUTE = 60_000;

describe("the lock of a target", () => {
  let directory: string;
  let now = 0;
  let running: number[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "vitrine-lock-"));
    now = 1_000_000_000_000;
    running = [1, 2];
  });
  afterEach(() => rm(directory, { recursive: true }));

  const take = (run: string, { host = "here", pid = 1 } = {}) =>
    takeLock({
      files: createDirectoryFiles(directory),
      clock: { now: () => now },
      machine: { host, pid, isRunning: (other) => running.includes(other) },
      run,
    });

  test("admits one run at a time", async () => {
    const first = await take("first");
    const failure = await failureOf(take("second", { pid: 2 }));
    expect(failure).toMatchObject({ kind: "Conflict" });
    expect(failure.message).toBe(
      "Another backup into this target is in progress (process 1 on here). Wait until it has finished.",
    );
    await first.release();
    await (await take("second", { pid: 2 })).release();
  });

  test("admits one of many that come at once", async () => {
    const runs = await Promise.allSettled(Array.from({ length: 20 }, (_, number) => take(`run ${number}`)));
    expect(runs.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("of a process that was killed counts no longer", async () => {
    await take("first");
    running = [2];
    expect((await failureOf(take("elsewhere", { host: "there", pid: 2 }))).message).toContain("in progress");
    const second = await take("second", { pid: 2 });
    expect(await second.isOwn()).toBe(true);
  });

  test("of another machine expires unless it is renewed", async () => {
    const first = await take("first");
    now += 9 * MINUTE;
    expect(await first.renew()).toBe(true);
    now += 9 * MINUTE;
    expect((await failureOf(take("second", { host: "there" }))).message).toContain("in progress");
    now += 2 * MINUTE;
    const second = await take("second", { host: "there" });
    expect(await first.renew()).toBe(false);
    expect(await first.isOwn()).toBe(false);
    await first.release();
    expect(await second.isOwn()).toBe(true);
  });

  test("that is damaged counts for nothing", async () => {
    await writeFile(join(directory, "lock.json"), "{");
    expect(await (await take("first")).isOwn()).toBe(true);
  });
});
