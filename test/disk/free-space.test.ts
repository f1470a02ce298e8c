import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFreeSpace } from "../../src/disk/free-space.ts";
import { Failure } from "../../src/domain/model/failure.ts";
import { createRecordingLog } from "../support/log.ts";
import { describeIf } from "../support/skip.ts";
import { mountDisk, noDisk } from "./small-disk.ts";

const MEBIBYTE = 1024 ** 2;
const SECOND = 1_000;

function openSpace(directory: string, reserve: number) {
  let time = 0;
  const { log, events } = createRecordingLog();
  const space = createFreeSpace({ directory, reserve, log, now: () => time });
  const take = (bytes: number) =>
    space.take(bytes).then(
      () => "taken",
      (error) => (error instanceof Failure ? error.kind : error),
    );
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { ...space, take, events, pass };
}

describeIf("free space", noDisk(), () => {
  test("is used down to the reserve, also by concurrent uploads and between two checks", async () => {
    using disk = mountDisk(16 * MEBIBYTE);
    const { take } = openSpace(disk.directory, 6 * MEBIBYTE);
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => take(MEBIBYTE)));
    expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === "StorageFull")).toHaveLength(20);
  });

  test("that runs out is reported as degraded, logged once, and detected within a second when it returns", async () => {
    using disk = mountDisk(16 * MEBIBYTE);
    const space = openSpace(disk.directory, 6 * MEBIBYTE);
    expect([await space.take(1000), await space.check()]).toEqual(["taken", { state: "ok" }]);
    const filler = join(disk.directory, "filler");
    writeFileSync(filler, new Uint8Array(12 * MEBIBYTE));
    space.pass(SECOND);
    for (let again = 0; again < 3; again++) expect(await space.take(1000)).toBe("StorageFull");
    expect(await space.check()).toEqual({ state: "degraded", detail: expect.stringContaining("VITRINE_DISK_RESERVE") });
    expect(space.events).toMatchObject([{ level: "warn" }]);
    rmSync(filler);
    space.pass(SECOND);
    expect([await space.take(1000), await space.check()]).toEqual(["taken", { state: "ok" }]);
    expect(space.events).toMatchObject([{ level: "warn" }, { level: "info" }]);
  });
});

describe("free space without a reserve, or of unknown size,", () => {
  test.each([
    ["nothing reserved", tmpdir(), 0],
    ["no such directory", "/dev/null/none", MEBIBYTE],
  ])("is available: %s", async (_, directory, reserve) => {
    const space = openSpace(directory, reserve);
    expect([await space.take(2 ** 50), await space.check()]).toEqual(["taken", { state: "ok" }]);
  });
});
