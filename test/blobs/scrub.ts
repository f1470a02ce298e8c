import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createContentCheck } from "../../src/blobs/content-check.ts";
import type { Blobs } from "../../src/domain/model/blobs.ts";
import { unavailable } from "../../src/domain/model/failure.ts";
import { digestOf } from "../../src/domain/model/files.ts";
import { createScrub } from "../../src/domain/operations/scrub.ts";
import { createThreads } from "../../src/threads/threads.ts";
import { addOwner, buildPublication, failureOf, type Owner, openTestStore, type TestStore } from "../store/support.ts";
import { describeEachEngine } from "../support/engines.ts";
import type { TestBlobs } from "./compliance.ts";
import { buildContent } from "./contents.ts";

const DAY = 24 * 60 * 60_000;
const DAYS = 30;
const START = 1_800_000_000_000;
/** Of two files. */
const SIZE = 3_000;
const SPLIT = 1_000;

type Read = Blobs["readAll"];

/** What scrubbing has to find in any store, with any database. `open` makes an empty store. */
export function describeScrub(name: string, open: () => Promise<TestBlobs>): void {
  describeEachEngine(`scrubbing ${name}`, (engine) => {
    let opened: TestBlobs;
    let blobs: Blobs;
    let world: TestStore;
    let owner: Owner;
    let checkContent: ReturnType<typeof createContentCheck>;
    /** The keys that were read, in order. */
    let reads: string[];
    let logged: string[];
    let waited: number;

    beforeAll(async () => {
      [opened, world] = await Promise.all([open(), openTestStore(engine)]);
      blobs = opened.blobs;
      owner = await addOwner(world);
      checkContent = createContentCheck(createThreads());
    });
    beforeEach(async () => {
      for (const table of ["versions", "scrub", "damaged_objects"] as const) {
        await world.rows.deleteFrom(table).execute();
      }
      [reads, logged, waited] = [[], [], 0];
    });
    afterAll(async () => {
      await world[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    });

    async function publish(count: number): Promise<string[]> {
      const codes: string[] = [];
      for (let number = 0; number < count; number++) {
        const content = buildContent(SIZE, number);
        const file = (path: string, offset: number, end: number) => ({
          path,
          offset,
          size: end - offset,
          digest: digestOf(content.subarray(offset, end)),
        });
        const files = [file("index.html", 0, SPLIT), file("data.bin", SPLIT, SIZE)];
        const publication = buildPublication(owner, { files, size: SIZE });
        await blobs.put(publication.code, content);
        await world.store.publishing.publish(publication);
        codes.push(publication.code);
      }
      return codes;
    }

    const contentOf = async (code: string): Promise<Uint8Array> => (await blobs.readAll(code)) ?? new Uint8Array();

    async function replace(code: string, content: Uint8Array | undefined): Promise<void> {
      await blobs.delete([code]);
      await blobs.forget([code]);
      if (content !== undefined) await blobs.put(code, content.slice());
    }

    const note = (level: string) => (event: { message: string; fields: { code: string } }) => {
      logged.push(`${level} ${event.fields.code}: ${event.message}`);
    };

    /** A scrub of a server that has just been started. */
    const scrubAt = (now: number, readAll: Read = blobs.readAll) =>
      createScrub({
        store: world.store,
        openStored: async () => ({
          readAll: (key) => {
            reads.push(key);
            return readAll(key);
          },
        }),
        checkContent,
        clock: { now: () => now },
        wait: async (milliseconds) => {
          waited += milliseconds;
        },
        log: { error: note("error"), info: note("info") },
        days: DAYS,
      });

    const run = (now: number, readAll?: Read, signal = new AbortController().signal) =>
      scrubAt(now, readAll).run(signal);
    const damaged = () => world.store.operations.listDamage(100);

    test("reads every object once in the time, evenly, whatever restarts there are", async () => {
      const codes = await publish(20);
      for (let day = 0; day <= DAYS; day += 2) {
        await run(START + day * DAY);
        const expected = (codes.length * day) / DAYS;
        expect(Math.abs(reads.length - expected)).toBeLessThanOrEqual(1);
      }
      expect(reads).toHaveLength(codes.length);
      expect(reads.toSorted()).toEqual(codes.toSorted());
      await run(START + DAYS * DAY - 1);
      expect(reads).toHaveLength(codes.length);
      // The next round.
      await run(START + (DAYS + 1) * DAY);
      await run(START + (DAYS + 11) * DAY);
      expect(Math.abs(reads.length - codes.length - 20 / 3)).toBeLessThanOrEqual(1);
      expect(reads[codes.length]).toBe(reads[0] ?? "");
      expect([await damaged(), logged]).toEqual([[], []]);
    });

    test("catches up after a long stop, with pauses", async () => {
      const codes = await publish(10);
      await run(START);
      expect(await run(START + 100 * DAY)).toBe("Read 9 objects. None is damaged.");
      expect(reads.toSorted()).toEqual(codes.toSorted());
      // 4 MB a second, and every object counts 64 KB more.
      expect(waited).toBeCloseTo((10 * (SIZE + 65_536) * 1_000) / (4 * 1024 * 1024), 3);
      expect(await world.store.operations.findScrub()).toMatchObject({
        objects: 10,
        bytes: 10 * SIZE,
        lastFinishedAt: START + 100 * DAY,
      });
    });

    test("goes on where a run was stopped", async () => {
      const codes = await publish(12);
      await run(START);
      const stopping = new AbortController();
      const stopped: Read = async (key) => {
        if (reads.length === 7) stopping.abort(new Error("stopped"));
        return blobs.readAll(key);
      };
      expect((await failureOf(run(START + DAYS * DAY, stopped, stopping.signal))).message).toBe("stopped");
      expect(reads).toHaveLength(7);
      await run(START + DAYS * DAY);
      expect(reads.toSorted()).toEqual(codes.toSorted());
    });

    test("reports each damaged object once, until it is intact again", async () => {
      const codes = await publish(6);
      const [flipped = "", cut = "", missing = "", long = ""] = codes;
      const intact = new Map(await Promise.all(codes.map(async (code) => [code, await contentOf(code)] as const)));
      const original = (code: string) => intact.get(code) ?? new Uint8Array();
      const spoiled = original(flipped).slice();
      spoiled[2_500] = (spoiled[2_500] ?? 0) ^ 1;
      await replace(flipped, spoiled);
      await replace(cut, original(cut).subarray(0, -1));
      await replace(missing, undefined);
      await replace(long, buildContent(SIZE + 1));
      expect(await run(START)).toMatch(/^Read 1 object\./);
      expect(await run(START + DAYS * DAY)).toBe("Read 5 objects. 4 objects are damaged.");
      const problems = {
        [flipped]: "data.bin in it is not what was published",
        [cut]: "it has 2999 bytes where 3000 were published",
        [missing]: "it is missing",
        [long]: "it has 3001 bytes where 3000 were published",
      };
      expect(Object.fromEntries((await damaged()).map(({ code, problem }) => [code, problem]))).toEqual(problems);
      const lines = Object.entries(problems).map(
        ([code, text]) => `error ${code}: A published object is damaged: ${text}.`,
      );
      expect(logged.toSorted()).toEqual(lines.toSorted());
      expect(await scrubAt(START).health()).toEqual({
        state: "degraded",
        detail: expect.stringMatching(
          /^4 objects are damaged, for example of the report \w{16}\. Run vitrine blobs damaged to list them, and restore them from a backup\.$/,
        ),
      });
      // Another server logs nothing again.
      await run(START + DAYS * DAY);
      expect(logged).toHaveLength(4);

      for (const code of [flipped, cut, missing]) await replace(code, original(code));
      logged = [];
      await run(START + DAYS * DAY + 1);
      expect(logged.toSorted()).toEqual(
        [flipped, cut, missing].map((code) => `info ${code}: A damaged object is intact again.`).toSorted(),
      );
      expect((await damaged()).map(({ code }) => code)).toEqual([long]);
      await replace(long, original(long));
      expect(await scrubAt(START + DAYS * DAY + 2).checkDamaged()).toBe(1);
      expect(await scrubAt(START).health()).toEqual({ state: "ok" });
    });

    test("takes no deleted report for a damaged one", async () => {
      const [code = "", kept = ""] = await publish(2);
      await replace(kept, undefined);
      const remove = () => world.rows.deleteFrom("versions").where("code", "=", code).execute();
      const deleting: Read = async (key) => {
        if (key !== code) return blobs.readAll(key);
        await remove();
        return undefined;
      };
      await run(START - DAYS * DAY, deleting);
      await run(START, deleting);
      expect((await damaged()).map((object) => object.code)).toEqual([kept]);
      await world.rows.deleteFrom("versions").execute();
      await run(START);
      expect(await damaged()).toEqual([]);
      expect(logged.filter((line) => line.startsWith("info"))).toEqual([]);
    });

    test("tells a file that can't be read from a store that can't be reached", async () => {
      const codes = await publish(4);
      await run(START);
      const unreadable: Read = async (key) => {
        if (reads.length === 2) throw Object.assign(new Error("Input/output error"), { code: "EIO" });
        if (reads.length === 4) throw unavailable("The store can't be reached.");
        return blobs.readAll(key);
      };
      expect((await failureOf(run(START + DAYS * DAY, unreadable))).message).toBe("The store can't be reached.");
      expect((await damaged()).map(({ key, problem }) => [key, problem])).toEqual([
        [reads[1] ?? "", "it can't be read (EIO)"],
      ]);
      const before = reads.length;
      await run(START + DAYS * DAY);
      expect(await damaged()).toEqual([]);
      // The damaged one again, and the one that it has not read yet.
      expect(reads.slice(before)).toEqual([reads[1] ?? "", reads[3] ?? ""]);
      expect(new Set(reads)).toEqual(new Set(codes));
    });
  });
}
