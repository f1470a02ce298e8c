import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackupFiles } from "../../src/blobs/backup-files.ts";
import { createDirectoryFiles } from "../../src/blobs/backup-files-fs.ts";
import { testBackupFiles } from "./backup-files.ts";

const home = await mkdtemp(join(tmpdir(), "vitrine-backup-files-"));
afterAll(() => rm(home, { recursive: true }));

describe("backup files in a directory", () => {
  testBackupFiles(async () => createDirectoryFiles(await mkdtemp(join(home, "files-"))));

  test("are readable by their owner only, and leave no empty directories behind", async () => {
    const root = await mkdtemp(join(home, "files-"));
    const files = createDirectoryFiles(root);
    await files.writeText("backups/1/manifest.json", "{}");
    for (const name of ["backups", "backups/1", "backups/1/manifest.json"]) {
      expect((await stat(join(root, name))).mode & 0o077).toBe(0);
    }
    await files.remove(["backups/1/manifest.json"]);
    expect(await files.list("backups")).toEqual([]);
  });
});

describe("backup files with a limit", () => {
  test("split a file that is larger", async () => {
    const stored = new Map<string, Blob>();
    const files = createBackupFiles({
      list: async () => [...stored.keys()],
      get: async (name) => stored.get(name),
      put: async (name, content) => void stored.set(name, new Blob([await content.bytes()])),
      create: async () => false,
      remove: async () => undefined,
      largest: 1000,
    });
    const [from, to] = [join(home, "from"), join(home, "to")];
    await writeFile(from, "0123456789".repeat(250));
    const file = await files.store("vitrine.db", from);
    expect(file.parts.map(({ name, size }) => [name, size])).toEqual([
      ["vitrine.db.000", 1000],
      ["vitrine.db.001", 1000],
      ["vitrine.db.002", 500],
    ]);
    await files.fetch(file, to);
    expect(await readFile(to, "utf8")).toBe("0123456789".repeat(250));
  });
});
