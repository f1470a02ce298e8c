import { mkdir, readdir, readFile, rename, rm, stat, statfs, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Clock } from "../domain/model/ports.ts";
import type { Block, BlockCache } from "./blocks.ts";
import { decodeBlock, encodeBlock } from "./cached-block.ts";

const FILE_PATTERN = /^[0-9A-Za-z]{16}(\.z)?-\d+$/;
const TEMPORARY_SUFFIX = ".new";
/** A temporary file this old, in milliseconds, is what a crash has left. */
const TEMPORARY_AGE = 60_000;
/** Files take whole pages of the disk. */
const PAGE_BYTES = 4096;
/** The share of the bound that may be written before the directory is looked at again. */
const SHARE_BETWEEN_LOOKS = 1 / 16;
/** What this process keeps to, so that another one with the same directory may write meanwhile. */
const OWN_SHARE = 7 / 8;
/** Bytes that wait to be written; more are not taken. */
const BACKLOG_BYTES = 64 * 1024 * 1024;
/** Milliseconds without writing after a write has failed, for the disk is full or gone. */
const PAUSE = 30_000;
/** How exactly files tell when they were last used, in milliseconds. */
const TOUCH_INTERVAL = 60_000;
const STATS_AT_ONCE = 64;

interface Entry {
  size: number;
  usedAt: number;
  /** When the file was last said to be used. */
  toldAt: number;
}

interface Parts {
  directory: string;
  /** Bytes that the directory takes at the most. */
  bound: number;
  clock: Clock;
}

/**
 * Files in one directory, of which those go that have not been read for the longest. Several processes may share it, and
 * it outlives them. Nothing here fails: what cannot be read or written is not cached.
 */
export function createDiskCache({ directory, bound, clock }: Parts): BlockCache {
  const evicted: string[] = [];
  let entries = createEntries(bound);
  let writtenSinceLook = 0;
  let pausedUntil = 0;
  let backlog = 0;
  /** Whatever changes the directory happens one after the other. */
  let work: Promise<void> = Promise.resolve();
  enqueue(look);

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
    work = work.then(task).catch(() => {
      pausedUntil = clock.now() + PAUSE;
      writtenSinceLook = Number.POSITIVE_INFINITY;
    });
    return work;
  }

  const pathOf = (name: string) => join(directory, name);
  const removeFile = (name: string) => rm(pathOf(name), { force: true });

  async function get(key: string, position: number): Promise<Block | undefined> {
    const name = nameOf(key, position);
    // Also what another process has written, of which nothing is known here.
    const file = await readFile(pathOf(name)).catch(() => undefined);
    const block = file && decodeBlock(name, position, file);
    if (block === undefined) entries.delete(name);
    else touch(name);
    if (file !== undefined && block === undefined) enqueue(() => removeFile(name));
    return block;
  }

  /** For whoever looks at the directory next, this process after a restart included. */
  function touch(name: string): void {
    const entry = entries.get(name);
    const now = clock.now();
    if (entry === undefined) return;
    entry.usedAt = now;
    if (now - entry.toldAt < TOUCH_INTERVAL) return;
    entry.toldAt = now;
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
    if (writtenSinceLook > bound * SHARE_BETWEEN_LOOKS) await look();
    const file = encodeBlock(name, block);
    const size = sizeOnDisk(file.length);
    if (size > entries.maxSize) return;
    const now = clock.now();
    entries.set(name, { size, usedAt: now, toldAt: now });
    await removeEvicted();
    writtenSinceLook += size;
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

  /** Learns what is there, and how much there may be: no more than is left free, which others need too. */
  async function look(): Promise<void> {
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
    writtenSinceLook = 0;
    await removeEvicted();
  }

  /** Those first that were not used for the longest. */
  async function findFiles(): Promise<(Entry & { name: string })[]> {
    const names = await readdir(directory);
    const found: (Entry & { name: string })[] = [];
    for (let start = 0; start < names.length; start += STATS_AT_ONCE) {
      await Promise.all(
        names.slice(start, start + STATS_AT_ONCE).map(async (name) => {
          const file = await stat(pathOf(name)).catch(() => undefined);
          if (file === undefined) return;
          const toldAt = file.mtimeMs;
          const usedAt = Math.max(toldAt, entries.peek(name)?.usedAt ?? 0);
          if (FILE_PATTERN.test(name)) found.push({ name, size: sizeOnDisk(file.size), usedAt, toldAt });
          else if (isAbandoned(name, toldAt)) await removeFile(name);
        }),
      );
    }
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

const nameOf = (key: string, position: number) => `${key}-${position}`;

const sizeOnDisk = (bytes: number) => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
