import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TMPFS_MAGIC = 0x01021994;
const isInMemory = (directory: string) => statfsSync(directory).type === TMPFS_MAGIC;

const made = new Set<string>();
process.on("exit", () => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/**
 * Creates a directory on a real disk, where syncing takes time. It is removed when this process ends and not before: ext4
 * takes about three times as long to create a file for some minutes after many deletions.
 */
export function makeDirectory(): string {
  const parent = [tmpdir(), "/var/tmp", process.cwd()].find((candidate) => !isInMemory(candidate));
  if (parent === undefined) throw new Error("No directory on a disk is available.");
  const directory = mkdtempSync(join(parent, "vitrine-bench-"));
  made.add(directory);
  return directory;
}
