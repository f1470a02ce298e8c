import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BackupFiles, DamagedBackup } from "../../src/domain/operations/backup/ports.ts";
import { failureOf } from "../store/support.ts";

/** Registers the tests that every kind of backup files passes. */
export function testBackupFiles(open: () => Promise<BackupFiles>): void {
  let files: BackupFiles;
  let directory: string;

  beforeEach(async () => {
    files = await open();
    directory = await mkdtemp(join(tmpdir(), "vitrine-backup-files-"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  test("texts are written, replaced, listed and removed", async () => {
    expect(await files.readText("a/b/one")).toBeUndefined();
    await files.writeText("a/b/one", "1");
    await files.writeText("a/b/one", "eins");
    await files.writeText("a/two", "");
    await files.writeText("top", "ö");
    expect(await Promise.all(["a/b/one", "a/two", "top"].map(files.readText))).toEqual(["eins", "", "ö"]);
    expect((await files.list("")).toSorted()).toEqual(["a", "top"]);
    expect((await files.list("a")).toSorted()).toEqual(["b", "two"]);
    expect(await files.list("nowhere")).toEqual([]);
    await files.remove(["a/b/one", "a/two", "not there", "not/there"]);
    expect(await files.list("")).toEqual(["top"]);
  });

  test("a text is created once, however many try", async () => {
    const attempts = Array.from({ length: 10 }, (_, number) => files.createText("lock", String(number)));
    const created = await Promise.all(attempts);
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await files.readText("lock")).toBe(String(created.indexOf(true)));
    await files.remove(["lock"]);
    expect(await files.createText("lock", "again")).toBe(true);
  });

  test.each([0, 1, 3_000_001])("a file of %d bytes comes back as it was", async (size) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, offset) => offset % 251));
    const [from, to] = [join(directory, "from"), join(directory, "to")];
    await writeFile(from, bytes);
    const stored = await files.store("backups/1/vitrine.db", from);
    expect(stored.size).toBe(size);
    expect(stored.sha256).toBe(new Bun.SHA256().update(bytes).digest("hex"));
    expect(stored.parts.map(({ name }) => name)).toEqual(["backups/1/vitrine.db"]);
    await files.fetch(stored, to);
    expect((await readFile(to)).equals(bytes)).toBe(true);
  });

  test("a file that is missing or another one is refused", async () => {
    const from = join(directory, "from");
    await writeFile(from, "what was stored");
    const stored = await files.store("backups/1/vitrine.db", from);
    await files.writeText("backups/1/vitrine.db", "what was st0red");
    expect(await failureOf(files.fetch(stored, join(directory, "one")))).toBeInstanceOf(DamagedBackup);
    await files.remove(["backups/1/vitrine.db"]);
    expect(await failureOf(files.fetch(stored, join(directory, "two")))).toBeInstanceOf(DamagedBackup);
  });
}
