import { link, mkdir, open, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "../disk/synced-files.ts";
import { storageFull } from "../domain/model/failure.ts";
import type { BackupFiles } from "../domain/operations/backup/ports.ts";
import { chunksOf, createBackupFiles } from "./backup-files.ts";

/** Ends the names of files that are being written. */
const TEMPORARY = ".new";

/** Keeps the files of backups below a directory. Only its owner may read them. */
export function createDirectoryFiles(root: string): BackupFiles {
  /** Writes a temporary file and moves it into place, so that no other process sees a part of it. */
  async function write(name: string, content: Blob, move: (from: string, to: string) => Promise<void>): Promise<void> {
    const path = join(root, name);
    const temporary = `${path}.${crypto.randomUUID()}${TEMPORARY}`;
    await makeDirectories(root, dirname(name));
    try {
      await writeChunks(temporary, content);
      await move(temporary, path);
    } catch (error) {
      throw hasCode(error, "ENOSPC", "EDQUOT") ? storageFull(error) : error;
    } finally {
      await unlink(temporary).catch(() => undefined);
    }
    await syncDirectory(dirname(path));
  }

  async function create(name: string, content: Blob): Promise<boolean> {
    try {
      await write(name, content, link);
      return true;
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false;
      throw error;
    }
  }

  async function remove(name: string): Promise<void> {
    const path = join(root, name);
    await unlink(path).catch(ignoreMissing);
    // The directory of a backup goes with its last file.
    if (dirname(path) !== root) await rmdir(dirname(path)).catch(() => undefined);
  }

  async function list(directory: string): Promise<string[]> {
    const names = await readdir(join(root, directory)).catch(ignoreMissing);
    return names ?? [];
  }

  async function get(name: string): Promise<Blob | undefined> {
    const file = Bun.file(join(root, name));
    return (await file.exists()) ? file : undefined;
  }

  return createBackupFiles({
    list,
    get,
    put: (name, content) => write(name, content, rename),
    create,
    remove,
    largest: Number.MAX_SAFE_INTEGER,
  });
}

/** Creates the directories above a file and returns when their names are on the disk. */
async function makeDirectories(root: string, directory: string): Promise<void> {
  const path = join(root, directory);
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made !== dirname(first); made = dirname(made)) await syncDirectory(dirname(made));
}

async function writeChunks(path: string, content: Blob): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of chunksOf(content)) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

const hasCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, "ENOENT")) throw error;
}
