import { mkdir, readdir, readFile, rename, rm, stat, statfs, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { Clock } from "../domain/model/ports.ts";
import type { Log } from "../observability/log.ts";
import type { Block, BlockCache } from "./blocks.ts";
import { decodeBlock, encodeBlock } from "./cached-block.ts";

const FILE_PATTERN = /^[0-9A-Za-z]{16}(\.z)?-\d+$/;
const TEMPORARY_SUFFIX = ".new";
/** Milliseconds after which a temporary file counts as left by a crash. */
const TEMPORARY_AGE = 60_000;
/** Files take whole pages of the disk. */
const PAGE_BYTES = 4096;
/** The share of the bound that may be written before the directory is scanned again. */
const SHARE_BETWEEN_SCANS = 1 / 16;
/** The share of the bound that this process uses, so that another one may write to the same directory. */
const OWN_SHARE = 7 / 8;
/** Maximum bytes that wait to be written; further pieces are dropped. */
const BACKLOG_BYTES = 64 * 1024 * 1024;
/** Milliseconds without writes after a failed one, because the disk is full or gone. */
const PAUSE = 30_000;
/** Milliseconds between updates of a file's time of last use. */
const TOUCH_INTERVAL = 60_000;
const STATS_AT_ONCE = 64;

interface Entry {
  size: number;
  usedAt: number;
  /** The file's modification time, which records its last use. */
  touchedAt: number;
}

interface DiskCacheDependencies {
  directory: string;
  /** Maximum bytes in the directory. */
  bound: number;
  clock: Clock;
  log: Pick<Log, "warn">;
}

/**
 * Caches pieces as files in one directory and removes the least recently used. Several processes may share the directory,
 * and it outlives them. It never throws: what cannot be read or written is not cached.
 */
export function createDiskCache({ directory, bound, clock, log }: DiskCacheDependencies): BlockCache {
  const evicted: string[] = [];
  let entries = createEntries(bound);
  let writtenSinceScan = 0;
  let pausedUntil = 0;
  let backlog = 0;
  /** Changes to the directory, which run one after the other. */
  let work: Promise<void> = Promise.resolve();
  enqueue(scan);

  function createEntries(maxSize: number) {
    return new LRUCache<string, Entry>({
      maxSize: Math.max(1, Math.floor(maxSize)),
      sizeCalculation: ({ size }) => size,
      dispose: (_, name, reason) => {
        if (reason === "evict") evicted.push(name);
      },
    });
  }

  function enqueue(task: () => Promise<void>): Promise<void> {
    work = work.then(task).catch((error: unknown) => {
      if (clock.now() >= pausedUntil) log.warn({ message: PAUSED, error, fields: { directory } });
      pausedUntil = clock.now() + PAUSE;
      writtenSinceScan = Number.POSITIVE_INFINITY;
    });
    return work;
  }

  const pathOf = (name: string) => join(directory, name);
  const removeFile = (name: string) => rm(pathOf(name), { force: true });

  async function get(key: string, position: number): Promise<Block | undefined> {
    const name = nameOf(key, position);
    // Another process may have written the file.
    const file = await readFile(pathOf(name)).catch(() => undefined);
    const block = file && decodeBlock(name, position, file);
    if (block === undefined) entries.delete(name);
    else touch(name);
    if (file !== undefined && block === undefined) enqueue(() => removeFile(name));
    return block;
  }

  /** Records the use of a file for the next scan, by this or another process. */
  function touch(name: string): void {
    const entry = entries.get(name);
    const now = clock.now();
    if (entry === undefined) return;
    entry.usedAt = now;
    if (now - entry.touchedAt < TOUCH_INTERVAL) return;
    entry.touchedAt = now;
    utimes(pathOf(name), now / 1000, now / 1000).catch(() => undefined);
  }

  function add(key: string, position: number, block: Block): void {
    const bytes = block.bytes.length;
    if (clock.now() < pausedUntil || backlog + bytes > BACKLOG_BYTES) return;
    backlog += bytes;
    enqueue(() =>
      write(nameOf(key, position), block).finally(() => {
        backlog -= bytes;
      }),
    );
  }

  async function write(name: string, block: Block): Promise<void> {
    if (clock.now() < pausedUntil) return;
    if (writtenSinceScan > bound * SHARE_BETWEEN_SCANS) await scan();
    const file = encodeBlock(name, block);
    const size = sizeOnDisk(file.length);
    if (size > entries.maxSize) return;
    const now = clock.now();
    entries.set(name, { size, usedAt: now, touchedAt: now });
    await removeEvicted();
    writtenSinceScan += size;
    const temporary = `${pathOf(name)}.${crypto.randomUUID()}${TEMPORARY_SUFFIX}`;
    try {
      await writeFile(temporary, file, { mode: 0o600, flag: "wx" });
      await rename(temporary, pathOf(name));
    } catch (error) {
      entries.delete(name);
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async function removeEvicted(): Promise<void> {
    await Promise.all(evicted.splice(0).map(removeFile));
  }

  /** Reads the directory and bounds it by half of the space that is free or used by it. */
  async function scan(): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const found = await findFiles();
    const used = found.reduce((total, { size }) => total + size, 0);
    const { bavail, bsize } = await statfs(directory);
    const allowed = createEntries(Math.min(bound * OWN_SHARE, (used + bavail * bsize) / 2));
    for (const { name, ...entry } of found) {
      if (entry.size > allowed.maxSize) evicted.push(name);
      else allowed.set(name, entry);
    }
    entries = allowed;
    writtenSinceScan = 0;
    await removeEvicted();
  }

  /** Returns the files, least recently used first. */
  async function findFiles(): Promise<(Entry & { name: string })[]> {
    const names = await readdir(directory);
    const found: (Entry & { name: string })[] = [];
    await pLimit(STATS_AT_ONCE).map(names, async (name) => {
      const file = await stat(pathOf(name)).catch(() => undefined);
      if (file === undefined) return;
      const touchedAt = file.mtimeMs;
      const usedAt = Math.max(touchedAt, entries.peek(name)?.usedAt ?? 0);
      if (FILE_PATTERN.test(name)) found.push({ name, size: sizeOnDisk(file.size), usedAt, touchedAt });
      else if (isAbandoned(name, touchedAt)) await removeFile(name);
    });
    return found.toSorted((a, b) => a.usedAt - b.usedAt);
  }

  const isAbandoned = (name: string, writtenAt: number) =>
    name.endsWith(TEMPORARY_SUFFIX) && clock.now() - writtenAt > TEMPORARY_AGE;

  function remove(keys: readonly string[]): Promise<void> {
    const doomed = new Set(keys);
    return enqueue(async () => {
      const names = [...entries.keys()].filter((name) => doomed.has(name.slice(0, name.lastIndexOf("-"))));
      for (const name of names) {
        entries.delete(name);
        await removeFile(name);
      }
    });
  }

  return { get, add, remove };
}

const PAUSED = `The cache of published files failed and pauses for ${PAUSE / 1000} s; they are read from the store meanwhile.`;

const nameOf = (key: string, position: number) => `${key}-${position}`;

const sizeOnDisk = (bytes: number) => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
