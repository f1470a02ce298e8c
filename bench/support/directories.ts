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
 * A new directory on a real disk, which syncing takes time on. It goes when this process ends and not before: ext4 takes
 * about three times as long to make a file for some minutes after many have been deleted.
 */
export function makeDirectory(): string {
  const parent = [tmpdir(), "/var/tmp", process.cwd()].find((candidate) => !isInMemory(candidate));
  if (parent === undefined) throw new Error("There is no directory on a disk to measure on.");
  const directory = mkdtempSync(join(parent, "vitrine-bench-"));
  made.add(directory);
  return directory;
}
