import { statSync } from "node:fs";
import { access, constants, mkdir, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../disk/synced-files.ts";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { storageFull, unavailable } from "../domain/model/failure.ts";
import { DamagedObject } from "../domain/model/objects.ts";
import { createThreads, type Threads } from "../threads/threads.ts";
import { createFileMark } from "./fs-installation.ts";
import { createFileWriters } from "./fs-writers.ts";
import { checkKey } from "./keys.ts";

/** Names of objects, and of temporary files that a crash has left. */
const FILE_PATTERN = /^[0-9A-Za-z]{16}(\.z)?(\.[0-9A-Za-z-]+\.new)?$/;
const DIRECTORY_PATTERN = /^[0-9A-Za-z]$/;

/**
 * Stores objects as files in 62 subdirectories, by the first character of their key: few enough for a batch to sync, and
 * small enough for any file system with millions of objects.
 */
export function createFileBlobs(root: string, threads: Threads = createThreads()): MarkedBlobs {
  const writers = createFileWriters(threads);
  const directories = new Map<string, Promise<void>>();

  function directoryOf(key: string): string {
    checkKey(key);
    return join(root, key.slice(0, 1));
  }

  const pathOf = (key: string) => join(directoryOf(key), key);

  /** Creates a directory if it is missing, and syncs its parent so that it survives a power failure. */
  function ensureDirectory(directory: string): Promise<void> {
    let made = directories.get(directory);
    if (made === undefined) {
      made = makeDirectory(root, directory);
      made.catch(() => directories.delete(directory));
      directories.set(directory, made);
    }
    return made;
  }

  async function write(key: string, content: Uint8Array, isNew: boolean): Promise<void> {
    const directory = directoryOf(key);
    try {
      await ensureDirectory(directory);
      await writers.write({ directory, key, content, isNew });
    } catch (error) {
      throw isFull(error) ? storageFull(error) : error;
    }
  }

  async function read(key: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    return unlessGone(() =>
      Bun.file(pathOf(key))
        .slice(offset, offset + length)
        .bytes(),
    );
  }

  async function readAll(key: string): Promise<Uint8Array | undefined> {
    return unlessGone(() => Bun.file(pathOf(key)).bytes());
  }

  /** Throws `DamagedObject` for a file that is too short, which would otherwise look complete to its reader. */
  async function slice(key: string, offset: number, length: number): Promise<Blob> {
    const path = pathOf(key);
    const found = await unlessGone(() => stat(path));
    if (found === undefined || found.size < offset + length) throw new DamagedObject(key);
    return Bun.file(path).slice(offset, offset + length);
  }

  /** Blocks for two microseconds. Handing this over to another thread takes forty. */
  function sliceLocal(key: string, offset: number, length: number): Blob | undefined {
    const path = pathOf(key);
    try {
      const { size } = statSync(path);
      return size < offset + length ? undefined : Bun.file(path).slice(offset, offset + length);
    } catch {
      // `slice` says why.
      return undefined;
    }
  }

  /** Returns undefined for a missing file. Throws `Unavailable` if the root is missing too, as on an unmounted disk. */
  async function unlessGone<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
    const result = await unlessMissing(action);
    if (result === undefined) {
      await access(root).catch((cause) => {
        throw unavailable("The published files can't be read right now. Try again in a moment.", { cause });
      });
    }
    return result;
  }

  async function remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      if (!FILE_PATTERN.test(key)) throw new Error(`"${key}" isn't the key of an object.`);
      await unlessMissing(() => unlink(join(root, key.slice(0, 1), key)));
    }
  }

  async function* list(beginning = "") {
    for (const directory of await namesIn(root, DIRECTORY_PATTERN)) {
      if (!directory.startsWith(beginning)) continue;
      for (const key of await namesIn(join(root, directory), FILE_PATTERN)) {
        const found = await unlessMissing(() => stat(join(root, directory, key)));
        if (found?.isFile()) yield { key, size: found.size, modifiedAt: found.mtimeMs };
      }
    }
  }

  const forget = async () => undefined;

  const check = () => access(root, constants.W_OK);

  const put = (key: string, content: Uint8Array) => write(key, content, false);
  const add = (key: string, content: Uint8Array) => write(key, content, true);
  const installation = createFileMark(root);
  return { put, add, read, readAll, slice, sliceLocal, delete: remove, forget, list, check, installation };
}

async function makeDirectory(root: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await syncDirectory(root);
}

const hasCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));

const isFull = (error: unknown) => hasCode(error, "ENOSPC", "EDQUOT");

async function unlessMissing<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await action();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Returns the names that match. Other files, such as `lost+found`, are not ours. */
async function namesIn(directory: string, pattern: RegExp): Promise<string[]> {
  const names = await unlessMissing(() => readdir(directory));
  return names?.filter((name) => pattern.test(name)) ?? [];
}
