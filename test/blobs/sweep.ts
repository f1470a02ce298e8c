import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Blobs } from "../../src/domain/model/blobs.ts";
import { compressedKey } from "../../src/domain/model/objects.ts";
import { createSweep } from "../../src/domain/operations/sweep.ts";
import { silentLog } from "../../src/observability/log.ts";
import { addOwner, buildPublication, openTestStore } from "../store/support.ts";
import { describeOneEngine, type EngineName } from "../support/engines.ts";
import type { TestBlobs } from "./compliance.ts";
import { buildContent, expectBytes, keysIn, newKey } from "./contents.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** A store may round to whole seconds, and its clock may differ. */
const INACCURACY = 30_000;
const PUTS_AT_ONCE = 16;

export type SweepWorld = Awaited<ReturnType<typeof openSweepWorld>>;

/** Opens a real database with the rows that a test needs, and sweeps objects by it. */
export async function openSweepWorld(engine: EngineName) {
  const opened = await openTestStore(engine);
  const { store, rows } = opened;
  const { userId, workspaceId } = await addOwner(opened);
  await store.publishing.publish(buildPublication({ userId, workspaceId }));
  const { id } = await rows.selectFrom("items").select("id").executeTakeFirstOrThrow();
  let lastNo = 1;

  const sweepOf = (blobs: Blobs, now: number, orphanDays: number) =>
    createSweep({ store, blobs, clock: { now: () => now }, wait: Bun.sleep, log: silentLog, orphanDays });

  return {
    store,
    rows,
    /** Adds versions whose objects must stay. */
    async live(codes: readonly string[]): Promise<void> {
      if (codes.length === 0) return;
      const version = { item_id: id, creator_id: userId, title: "x", visibility: "private" as const, size: 1 };
      const values = codes.map((code) => ({ ...version, code, version_no: ++lastNo, files: "[]", created_at: 1 }));
      await rows
        .insertInto("versions")
        .values(values.map((value) => ({ ...value, stand_ins: null })))
        .execute();
    },
    /** Removes versions without a trace, as in an empty or older database. */
    lose: async (codes: readonly string[]) => {
      await rows
        .deleteFrom("versions")
        .where("code", "in", [...codes])
        .execute();
    },
    /** Adds versions that were deleted. */
    retire: async (codes: readonly string[]) => {
      await rows
        .insertInto("retired_codes")
        .values(codes.map((code) => ({ code, retired_at: 1, swept_at: null })))
        .execute();
    },
    run: (blobs: Blobs, now: number, orphanDays = 7) => sweepOf(blobs, now, orphanDays).run(),
    /** Returns the health that another replica reports, which ran no sweep. */
    health: (blobs: Blobs) => sweepOf(blobs, Date.now(), 7).health(),
    unswept: () => store.operations.listUnswept(1_000),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Tests sweeping objects in any store, with any database. `open` creates an empty store. */
export function describeSweep(name: string, open: () => Promise<TestBlobs>): void {
  describeOneEngine(`sweeping ${name}`, (engine) => {
    let opened: TestBlobs;
    let blobs: Blobs;
    let world: SweepWorld;

    beforeEach(async () => {
      [opened, world] = await Promise.all([open(), openSweepWorld(engine)]);
      blobs = opened.blobs;
    });
    afterEach(async () => {
      await world[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    });

    const codes = (count: number) => Array.from({ length: count }, newKey);
    const later = (time: number) => Date.now() + time;
    const bothOf = (some: readonly string[]) => some.flatMap((code) => [code, compressedKey(code)]);

    async function putAll(keys: readonly string[]): Promise<void> {
      const left = [...keys];
      const putSome = async () => {
        for (let key = left.pop(); key !== undefined; key = left.pop()) await blobs.put(key, buildContent(7));
      };
      await Promise.all(Array.from({ length: PUTS_AT_ONCE }, putSome));
    }

    test("orphans are deleted after 7 days as orphans, and not before", async () => {
      const keys = bothOf(codes(3));
      await putAll(keys);
      // Old files are not yet old orphans: a database that was moved away suddenly misses all of them.
      const first = later(100 * DAY);
      for (const now of [first, first + DAY, first + 7 * DAY - 1]) {
        expect(await world.run(blobs, now)).toEqual({ removed: 0, held: undefined });
        expect(await keysIn(blobs)).toEqual(keys.toSorted());
      }
      expect((await world.run(blobs, first + 7 * DAY)).removed).toBe(6);
      expect(await keysIn(blobs)).toEqual([]);
      expect(await world.rows.selectFrom("orphans").selectAll().execute()).toEqual([]);
    });

    test("an orphan whose row returns keeps its objects, and the 7 days start again", async () => {
      const [code = "", other = ""] = codes(2);
      await putAll(bothOf([code, other]));
      const first = later(DAY);
      await world.run(blobs, first);
      await world.live([code]);
      expect((await world.run(blobs, first + 8 * DAY)).removed).toBe(2);
      await world.lose([code]);
      expect((await world.run(blobs, first + 9 * DAY)).removed).toBe(0);
      expect((await world.run(blobs, first + 15 * DAY)).removed).toBe(0);
      expect(await keysIn(blobs)).toEqual(bothOf([code]).toSorted());
      expect((await world.run(blobs, first + 16 * DAY)).removed).toBe(2);
    });

    test("a row that returns during a run saves its objects", async () => {
      const [code = ""] = codes(1);
      await putAll([code]);
      const first = later(DAY);
      await world.run(blobs, first);
      const restoring: Blobs = {
        ...blobs,
        async *list() {
          yield* blobs.list();
          await world.live([code]);
        },
      };
      expect((await world.run(restoring, first + 8 * DAY)).removed).toBe(0);
      expect(await keysIn(blobs)).toEqual([code]);
    });

    test("with 0 days, orphans are deleted after an hour, because their publish may be under way", async () => {
      await putAll(codes(3));
      expect((await world.run(blobs, later(HOUR - INACCURACY), 0)).removed).toBe(0);
      expect((await world.run(blobs, later(HOUR + INACCURACY), 0)).removed).toBe(3);
    });

    test("objects of deleted versions are deleted at once, those of living ones never", async () => {
      const [living = "", deleted = ""] = codes(2);
      await putAll(bothOf([living, deleted]));
      await world.live([living]);
      await world.retire([deleted]);
      await world.run(blobs, later(0));
      expect(await world.unswept()).toEqual([]);
      expect((await world.run(blobs, later(9_999 * DAY))).removed).toBe(0);
      expect(await keysIn(blobs)).toEqual(bothOf([living]).toSorted());
      expectBytes(await blobs.readAll(living), buildContent(7));
    });

    test("objects put for a deleted version after its deletion are deleted after an hour", async () => {
      const [deleted = ""] = codes(1);
      await world.retire([deleted]);
      await world.run(blobs, later(0));
      await putAll([compressedKey(deleted)]);
      expect((await world.run(blobs, later(HOUR + INACCURACY))).removed).toBe(1);
    });

    test("a deleted version that is restored keeps its objects, and others after it are still deleted", async () => {
      const [first = "", ...others] = codes(4).toSorted();
      await putAll([first, ...others]);
      await world.retire([first, ...others]);
      await world.live([first]);
      await world.run(blobs, later(2 * HOUR));
      expect(await keysIn(blobs)).toEqual([first]);
      expect(await world.unswept()).toEqual([first]);
    });

    test("one run deletes more than a batch", async () => {
      const [living, deleted, orphans] = [codes(5_000), codes(450), codes(450)];
      await world.live(living.slice(0, 2_500));
      await world.live(living.slice(2_500));
      await world.retire(deleted);
      await putAll([...living.slice(0, 250), ...deleted, ...orphans]);
      // Makes the orphans a small part, without putting as many objects.
      const many: Blobs = {
        ...blobs,
        async *list() {
          yield* blobs.list();
          for (const key of living.slice(250)) yield { key, size: 7, modifiedAt: 1 };
        },
      };
      expect(await world.run(many, later(2 * HOUR))).toEqual({ removed: 0, held: undefined });
      expect(await world.run(many, later(8 * DAY))).toEqual({ removed: 450, held: undefined });
      expect(await keysIn(blobs)).toEqual(living.slice(0, 250).toSorted());
      expect(await world.unswept()).toEqual([]);
    });

    test("an object that can't be removed doesn't stop a run, and is removed by a later one", async () => {
      const [deleted = ""] = codes(1);
      await putAll([deleted]);
      await world.retire([deleted]);
      const failing = { ...blobs, delete: () => Promise.reject(new Error("the disk is gone")) };
      expect((await world.run(failing, later(0))).removed).toBe(0);
      expect(await world.unswept()).toEqual([deleted]);
      await world.run(blobs, later(0));
      expect(await keysIn(blobs)).toEqual([]);
    });

    test("a run over an empty store does nothing", async () => {
      expect(await world.run(blobs, later(2 * HOUR))).toEqual({ removed: 0, held: undefined });
    });

    test("10 of 100 objects are deleted", async () => {
      const [living, orphans] = [codes(90), codes(10)];
      await world.live(living);
      await putAll([...living, ...orphans]);
      await world.run(blobs, later(DAY));
      expect(await world.run(blobs, later(9 * DAY))).toEqual({ removed: 10, held: undefined });
      expect(await keysIn(blobs)).toEqual(living.toSorted());
    });

    test("11 of 100 objects stay until an operator confirms these", async () => {
      const [living, orphans] = [codes(89), codes(11)];
      await world.live(living);
      await putAll([...living, ...orphans]);
      const first = later(DAY);
      await world.run(blobs, first);
      expect(await world.health(blobs)).toEqual({ state: "ok" });

      const due = first + 7 * DAY;
      for (const now of [due, due + DAY]) {
        expect(await world.run(blobs, now)).toEqual({ removed: 0, held: { orphans: 11, objects: 100 } });
        expect(await keysIn(blobs)).toHaveLength(100);
        const { state, detail } = await world.health(blobs);
        expect([state, detail?.startsWith("The sweep would delete 11 of 100 published objects")]).toEqual([
          "degraded",
          true,
        ]);
      }
      expect(await world.store.operations.listHeld(3)).toHaveLength(3);

      // The confirmation is for these only: later orphans are counted separately.
      const late = codes(13);
      await putAll(late);
      await world.run(blobs, due + 2 * DAY);
      expect((await world.health(blobs)).state).toBe("degraded");
      expect(await world.store.operations.confirmHold({ orphans: 10, now: due })).toBe(false);
      expect(await world.store.operations.confirmHold({ orphans: 11, now: due })).toBe(true);
      expect(await world.health(blobs)).toEqual({ state: "ok" });
      expect(await world.store.operations.confirmHold({ orphans: 11, now: due })).toBe(false);
      const next = await world.run(blobs, due + 9 * DAY);
      expect(next).toEqual({ removed: 11, held: { orphans: 13, objects: 113 } });
      expect(await keysIn(blobs)).toEqual([...living, ...late].toSorted());
      expect(await world.run(blobs, due + 10 * DAY)).toEqual({ removed: 0, held: { orphans: 13, objects: 102 } });

      // The rest stays held when some rows return, and the hold ends when all have returned.
      await world.live(late.slice(3));
      expect(await world.run(blobs, due + 11 * DAY)).toEqual({ removed: 0, held: { orphans: 3, objects: 102 } });
      await world.live(late.slice(0, 3));
      expect(await world.run(blobs, due + 12 * DAY)).toEqual({ removed: 0, held: undefined });
      expect(await world.health(blobs)).toEqual({ state: "ok" });
      expect(await keysIn(blobs)).toHaveLength(102);
    });

    test("a database that knows none of 100 objects deletes none", async () => {
      const all = codes(100);
      await world.live(all);
      await putAll(all);
      await world.run(blobs, later(DAY));
      await world.lose(all);
      for (const days of [2, 9, 99]) await world.run(blobs, later(days * DAY));
      expect(await keysIn(blobs)).toEqual(all.toSorted());
      await world.live(all);
      await world.run(blobs, later(100 * DAY));
      expect(await world.health(blobs)).toEqual({ state: "ok" });
    });
  });
}
