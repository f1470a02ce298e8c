import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { compressedKey } from "../../src/domain/objects.ts";
import type { Blobs, SweepStore } from "../../src/domain/ports.ts";
import { createSweep } from "../../src/domain/sweep.ts";
import type { TestBlobs } from "./compliance.ts";
import { buildContent, expectBytes, keysIn, newKey } from "./contents.ts";

const HOUR = 60 * 60_000;
/** A store may keep whole seconds only, and have a clock of its own. */
const INACCURACY = 30_000;
const PUTS_AT_ONCE = 16;

interface Rows {
  living: readonly string[];
  deleted: readonly string[];
  /** What the sweep takes for the present. */
  now: number;
}

/** A sweep of objects over rows that the test names. */
export function createSweepOf(blobs: Blobs, { living, deleted, now }: Rows) {
  const unswept = new Set(deleted);
  const store: SweepStore = {
    listUnswept: async (limit) => [...unswept].toSorted().slice(0, limit),
    markSwept: async ({ codes }) => {
      for (const code of codes) unswept.delete(code);
    },
    findLiving: async (codes) => codes.filter((code) => living.includes(code)),
    removeExpired: async () => undefined,
  };
  const sweep = createSweep({ store: { sweep: store }, blobs, clock: { now: () => now } });
  return { run: sweep.run, unswept };
}

/** What sweeping has to do to objects in any store. `open` makes an empty one. */
export function describeSweep(name: string, open: () => Promise<TestBlobs>): void {
  describe(`sweeping ${name}`, () => {
    let opened: TestBlobs;
    let blobs: Blobs;

    beforeEach(async () => {
      opened = await open();
      blobs = opened.blobs;
    });
    afterEach(() => opened[Symbol.asyncDispose]());

    const codes = (count: number) => Array.from({ length: count }, newKey);
    const later = (time: number) => Date.now() + time;

    async function putAll(keys: readonly string[]): Promise<void> {
      const left = [...keys];
      const putSome = async () => {
        for (let key = left.pop(); key !== undefined; key = left.pop()) await blobs.put(key, buildContent(7));
      };
      await Promise.all(Array.from({ length: PUTS_AT_ONCE }, putSome));
    }

    test("orphans go after an hour and not before", async () => {
      const keys = codes(3).flatMap((code) => [code, compressedKey(code)]);
      await putAll(keys);
      const rows = { living: [], deleted: [] };
      expect(await createSweepOf(blobs, { ...rows, now: later(HOUR - INACCURACY) }).run()).toBe(0);
      expect(await keysIn(blobs)).toEqual(keys.toSorted());
      expect(await createSweepOf(blobs, { ...rows, now: later(HOUR + INACCURACY) }).run()).toBe(6);
      expect(await keysIn(blobs)).toEqual([]);
    });

    test("objects of deleted versions go at once, those of living ones stay for ever", async () => {
      const [living = "", deleted = ""] = codes(2);
      await putAll([living, deleted].flatMap((code) => [code, compressedKey(code)]));
      const soon = createSweepOf(blobs, { living: [living], deleted: [deleted], now: later(0) });
      expect(await soon.run()).toBe(0);
      expect([...soon.unswept]).toEqual([]);
      expect(await createSweepOf(blobs, { living: [living], deleted: [], now: later(99_999 * HOUR) }).run()).toBe(0);
      expect(await keysIn(blobs)).toEqual([living, compressedKey(living)].toSorted());
      expectBytes(await blobs.readAll(living), buildContent(7));
    });

    test("more than fit into a batch go in one run", async () => {
      const living = codes(250);
      const deleted = codes(450);
      await putAll([...living, ...deleted, ...codes(450)]);
      const sweep = createSweepOf(blobs, { living, deleted, now: later(2 * HOUR) });
      expect(await sweep.run()).toBe(450);
      expect(await keysIn(blobs)).toEqual(living.toSorted());
      expect(sweep.unswept.size).toBe(0);
    });

    test("what cannot be removed does not keep a run from ending, and is removed by a later one", async () => {
      const [deleted = ""] = codes(1);
      await putAll([deleted]);
      const failing = { ...blobs, delete: () => Promise.reject(new Error("the disk is gone")) };
      const rows = { living: [], deleted: [deleted], now: later(0) };
      const first = createSweepOf(failing, rows);
      expect(await first.run()).toBe(0);
      expect([...first.unswept]).toEqual([deleted]);
      await createSweepOf(blobs, rows).run();
      expect(await keysIn(blobs)).toEqual([]);
    });

    test("a run over nothing does nothing", async () => {
      expect(await createSweepOf(blobs, { living: [], deleted: [], now: later(2 * HOUR) }).run()).toBe(0);
    });
  });
}
