import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BLOCK_BYTES, type BlockCache } from "../../src/blobs/blocks.ts";
import { createDiskCache } from "../../src/blobs/disk-cache.ts";
import { type Log, silentLog } from "../../src/observability/log.ts";
import { mountDisk, noDisk } from "../disk/small-disk.ts";
import { createRecordingLog } from "../support/log.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { buildContent, newKey } from "./contents.ts";

const MEBIBYTE = 1024 * 1024;
const BOUND = 8 * MEBIBYTE;

describe("the cache on disk", () => {
  let directory: string;
  /** How far the clock is ahead. */
  let ahead: number;
  let cache: BlockCache;

  const open = (bound = BOUND, where = directory, log: Log = silentLog) =>
    createDiskCache({ directory: where, bound, clock: { now: () => Date.now() + ahead }, log });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "vitrine-cache-"));
    ahead = 0;
    cache = open();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const block = (size: number, seed = 1) => ({ bytes: buildContent(size, seed), total: size });
  /** Resolves after all earlier operations. */
  const settle = (some: BlockCache = cache) => some.remove([]);

  async function addAll(keys: readonly string[], size = BLOCK_BYTES, some: BlockCache = cache): Promise<void> {
    for (const key of keys) {
      some.add(key, 0, block(size));
      await settle(some);
    }
  }

  async function bytesIn(where = directory): Promise<number> {
    const sizes = await Promise.all((await readdir(where)).map(async (name) => (await stat(join(where, name))).size));
    return sizes.reduce((total, size) => total + size, 0);
  }

  /** Returns the newest access time of the files. */
  async function newestIn(where = directory): Promise<number> {
    const times = await Promise.all(
      (await readdir(where)).map(async (name) => (await stat(join(where, name))).mtimeMs),
    );
    return Math.max(...times);
  }

  async function keptOf(keys: readonly string[], some: BlockCache = cache): Promise<string[]> {
    const kept: string[] = [];
    for (const key of keys) if ((await some.get(key, 0)) !== undefined) kept.push(key);
    return kept;
  }

  const keysOf = (count: number) => Array.from({ length: count }, newKey);

  test("returns what it was given, and nothing for another key or position", async () => {
    const key = newKey();
    cache.add(key, 0, { bytes: buildContent(BLOCK_BYTES), total: BLOCK_BYTES + 5 });
    cache.add(key, 1, { bytes: buildContent(5, 2), total: BLOCK_BYTES + 5 });
    cache.add(`${key}.z`, 0, block(0));
    await settle();
    expect(await cache.get(key, 1)).toEqual({ bytes: buildContent(5, 2), total: BLOCK_BYTES + 5 });
    expect((await cache.get(key, 0))?.bytes.length).toBe(BLOCK_BYTES);
    expect(await cache.get(`${key}.z`, 0)).toEqual(block(0));
    expect(await cache.get(key, 2)).toBeUndefined();
    expect(await cache.get(newKey(), 0)).toBeUndefined();
  });

  test("never exceeds its limit, and evicts what was read longest ago", async () => {
    const keys = keysOf(12);
    const [first = ""] = keys;
    await addAll(keys);
    for (const key of keysOf(60)) {
      expect(await cache.get(first, 0)).toBeDefined();
      await addAll([key]);
      expect(await bytesIn()).toBeLessThanOrEqual(BOUND);
    }
    expect(await keptOf(keys)).toEqual([first]);
    expect(await bytesIn()).toBeGreaterThan(BOUND / 2);
  });

  test("small pieces count with the disk space they occupy", async () => {
    const small = open(MEBIBYTE);
    await addAll(keysOf(400), 10, small);
    expect((await readdir(directory)).length).toBeLessThanOrEqual(256);
    expect((await readdir(directory)).length).toBeGreaterThan(100);
  });

  test("concurrent additions are limited as well", async () => {
    for (const key of keysOf(200)) cache.add(key, 0, block(BLOCK_BYTES));
    await settle();
    expect(await bytesIn()).toBeLessThanOrEqual(BOUND);
  });

  test("survives a restart, and remembers what was read last", async () => {
    const keys = keysOf(10);
    const [first = ""] = keys;
    await addAll(keys);
    ahead += 3_600_000;
    expect(await cache.get(first, 0)).toBeDefined();
    await until(async () => (await newestIn()) > Date.now());
    cache = open();
    await addAll(keysOf(9));
    const kept = await keptOf(keys);
    expect(kept).toContain(first);
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.length).toBeLessThan(keys.length);
  });

  test("a lower limit applies from the start", async () => {
    await addAll(keysOf(12));
    cache = open(2 * MEBIBYTE);
    await settle();
    expect(await bytesIn()).toBeLessThanOrEqual(2 * MEBIBYTE);
  });

  test.each<[string, (path: string) => Promise<unknown>]>([
    ["is truncated", (path) => truncate(path, 1000)],
    ["is empty", (path) => truncate(path, 0)],
    ["is longer", async (path) => writeFile(path, new Uint8Array([...(await Bun.file(path).bytes()), 0]))],
    ["is all zeros", async (path) => writeFile(path, new Uint8Array((await stat(path)).size))],
    [
      "has a flipped bit",
      async (path) => {
        const bytes = await Bun.file(path).bytes();
        bytes[2000] = (bytes[2000] ?? 0) ^ 1;
        await writeFile(path, bytes);
      },
    ],
  ])("a file that %s is detected and removed", async (_, spoil) => {
    const key = newKey();
    await addAll([key], 10_000);
    await spoil(join(directory, `${key}-0`));
    expect(await cache.get(key, 0)).toBeUndefined();
    await settle();
    expect(await readdir(directory)).toEqual([]);
    await addAll([key], 10_000);
    expect(await cache.get(key, 0)).toEqual(block(10_000));
  });

  test("a file under another name is detected", async () => {
    const [first = "", second = ""] = keysOf(2);
    await addAll([first], 10_000);
    await writeFile(join(directory, `${second}-0`), await Bun.file(join(directory, `${first}-0`)).bytes());
    expect(await cache.get(second, 0)).toBeUndefined();
  });

  test("a crash's leftovers are removed, and foreign files stay", async () => {
    const names = [`${newKey()}-0.${crypto.randomUUID()}.new`, `${newKey()}-0.${crypto.randomUUID()}.new`, "notes.txt"];
    const [old = "", young = "", foreign = ""] = names;
    for (const name of names) await writeFile(join(directory, name), "x");
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(join(directory, old), longAgo, longAgo);
    await settle(open());
    expect((await readdir(directory)).toSorted()).toEqual([young, foreign].toSorted());
  });

  test("removal deletes all pieces of an object", async () => {
    const [first = "", second = ""] = keysOf(2);
    for (const key of [first, second]) {
      for (const position of [0, 1, 2]) {
        cache.add(key, position, { bytes: buildContent(BLOCK_BYTES), total: 3 * BLOCK_BYTES });
      }
    }
    await cache.remove([first]);
    expect((await readdir(directory)).toSorted()).toEqual([0, 1, 2].map((position) => `${second}-${position}`));
  });

  test("several caches of one directory share one limit, and read each other's files", async () => {
    const others = [open(), open(), open()];
    const keys = keysOf(90);
    await Promise.all(
      others.map(async (other, index) => {
        for (const key of keys.filter((_, position) => position % 3 === index)) {
          await addAll([key], BLOCK_BYTES, other);
          expect(await bytesIn().catch(() => 0)).toBeLessThanOrEqual(BOUND + BLOCK_BYTES);
        }
      }),
    );
    const kept = await keptOf(keys, cache);
    expect(kept.length).toBeGreaterThan(6);
    for (const other of others) expect(await keptOf(kept, other)).toEqual(kept);
  });

  test("a removed directory is created again", async () => {
    await addAll(keysOf(1), 10);
    await rm(directory, { recursive: true });
    const [lost = "", key = ""] = keysOf(2);
    await addAll([lost], 10);
    expect(await cache.get(lost, 0)).toBeUndefined();
    ahead += 60_000;
    await addAll([key], 10);
    expect(await cache.get(key, 0)).toBeDefined();
  });

  test("without a usable directory the cache does nothing, and logs once per interval", async () => {
    await writeFile(join(directory, "file"), "");
    const { log, events } = createRecordingLog();
    const helpless = open(BOUND, join(directory, "file", "cache"), log);
    const key = newKey();
    for (let again = 0; again < 3; again++) helpless.add(key, 0, block(10));
    await settle(helpless);
    expect(await helpless.get(key, 0)).toBeUndefined();
    expect(events).toMatchObject([{ level: "warn", fields: { directory: join(directory, "file", "cache") } }]);
    ahead += 30_000;
    helpless.add(key, 0, block(10));
    await settle(helpless);
    expect(events).toHaveLength(2);
  });

  describeIf("on a small disk", noDisk(), () => {
    test("keeps the configured space free, and shrinks when others need space", async () => {
      using disk = mountDisk(16 * MEBIBYTE);
      const small = open(100 * MEBIBYTE, disk.directory);
      const keys = keysOf(40);
      await addAll(keys, BLOCK_BYTES, small);
      expect(await bytesIn(disk.directory)).toBeLessThanOrEqual(8 * MEBIBYTE);
      expect((await keptOf(keys, small)).length).toBeGreaterThan(10);

      await writeFile(join(disk.directory, "other"), new Uint8Array(disk.freeBytes()));
      const more = keysOf(20);
      await addAll(more, BLOCK_BYTES, small);
      ahead += 60_000;
      await addAll(more, BLOCK_BYTES, small);
      const kept = await keptOf(more, small);
      expect(kept.length).toBeGreaterThan(0);
      for (const key of kept) expect(await small.get(key, 0)).toEqual(block(BLOCK_BYTES));
      expect(disk.freeBytes()).toBeGreaterThan(MEBIBYTE);
      expect((await readdir(disk.directory)).filter((name) => name.endsWith(".new"))).toEqual([]);
    });
  });
});
