import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import * as fc from "fast-check";
import { createCounting } from "../../../src/domain/seen/counting.ts";
import type { SeenBatch } from "../../../src/domain/seen/ports.ts";
import { random } from "../../support/service.ts";
import { nextTurn, passTime } from "../../support/until.ts";

const NOW = 1_800_000_000_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A store that adds each batch once, as the real one does, and can fail before or after that. */
function storeOf(failures: ("before" | "after" | "none")[] = []) {
  const added = new Map<string, SeenBatch>();
  const calls: string[] = [];
  return {
    added,
    calls,
    async addSeen({ batch }: { batch: SeenBatch }): Promise<void> {
      calls.push(batch.id);
      const failure = failures.shift() ?? "none";
      await nextTurn();
      if (failure === "before") throw new Error("The database does not answer.");
      if (!added.has(batch.id)) added.set(batch.id, structuredClone(batch));
      if (failure === "after") throw new Error("The connection was lost.");
    },
  };
}

function countingWith(seen: Pick<ReturnType<typeof storeOf>, "addSeen">) {
  const warnings: string[] = [];
  const log = { warn: ({ message }: { message: string }) => void warnings.push(message) };
  return { ...createCounting({ store: { seen }, clock: { now: () => NOW }, random, log }), warnings };
}

/** Returns the sums of what was added, by code, link and user, and by the references of refusals. */
function sumsOf(batches: Iterable<SeenBatch>): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (key: string, times: number) => {
    sums[key] = (sums[key] ?? 0) + times;
  };
  for (const { openings, refusals } of batches) {
    for (const { code, link, userId, times } of openings) add(`${code} ${link} ${userId}`, times);
    for (const { reference, times } of refusals) add(JSON.stringify(reference), times);
  }
  return sums;
}

type Step = { code: string; link: "live" | "version"; userId: string | null } | { name: string } | "add";

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    code: fc.constantFrom("A", "B", "C"),
    link: fc.constantFrom("live" as const, "version" as const),
    userId: fc.constantFrom(null, "u1", "u2"),
  }),
  fc.record({ name: fc.constantFrom("a", "b") }),
  fc.constant("add" as const),
);

test("sums are exact, whatever is counted while batches are added, fail or are tried again", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.array(fc.constantFrom("before" as const, "after" as const, "none" as const), { maxLength: 6 }),
      async (steps, failures) => {
        const store = storeOf([...failures]);
        const counting = countingWith(store);
        const expected: Record<string, number> = {};
        const expectOne = (key: string) => {
          expected[key] = (expected[key] ?? 0) + 1;
        };
        for (const each of steps) {
          if (each === "add") {
            void counting.add();
            await nextTurn();
          } else if ("name" in each) {
            counting.noteRefusal(each);
            expectOne(JSON.stringify(each));
          } else {
            counting.noteOpening(each.code, each.link, each.userId);
            expectOne(`${each.code} ${each.link} ${each.userId}`);
          }
        }
        for (let tries = 0; tries <= failures.length; tries++) await counting.add();
        await counting.close();
        expect(sumsOf(store.added.values())).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

test("adds what it counted a second after the first opening, in one batch", async () => {
  const store = storeOf();
  const counting = countingWith(store);
  counting.noteOpening("A", "live", null);
  await passTime(900);
  counting.noteOpening("A", "live", null);
  expect(store.calls).toEqual([]);
  await passTime(150);
  expect(sumsOf(store.added.values())).toEqual({ "A live null": 2 });
  await passTime(3_000);
  expect(store.calls).toHaveLength(1);
});

test("adds a batch every ten seconds while openings go on, and a full one at once", async () => {
  const store = storeOf();
  const counting = countingWith(store);
  for (let second = 0; second < 30; second++) {
    counting.noteOpening("A", "live", null);
    await passTime(1_000);
  }
  // After 1, 11 and 21 seconds.
  expect(store.calls).toHaveLength(3);
  for (let index = 0; index < 1_000; index++) counting.noteOpening("B", "live", `u${index}`);
  await passTime(10);
  expect(store.calls).toHaveLength(4);
  // The last one of them comes after the usual time.
  await passTime(10_000);
  expect(store.calls).toHaveLength(5);
});

test("what is counted while a batch is added waits for the next one", async () => {
  const store = storeOf();
  const counting = countingWith({
    ...store,
    async addSeen(change) {
      counting.noteOpening("A", "live", null);
      await store.addSeen(change);
    },
  });
  counting.noteOpening("A", "live", null);
  await passTime(1_050);
  expect(store.calls).toHaveLength(1);
  await counting.add();
  expect(sumsOf(store.added.values())).toEqual({ "A live null": 2 });
});

test("what was counted before is added, however many refusals come meanwhile", async () => {
  const store = storeOf(["before"]);
  const counting = countingWith({
    ...store,
    async addSeen(change) {
      for (let index = 0; index < 900; index++) counting.noteRefusal({ name: `n${store.calls.length}-${index}` });
      await store.addSeen(change);
    },
  });
  // The first thousand fail while the others are counted.
  for (let index = 0; index < 3_500; index++) counting.noteOpening("A", "live", `u${index}`);
  await counting.add();
  const added = [...store.added.values()].flatMap(({ openings }) => openings);
  expect(added).toHaveLength(3_500);
});

test("tries a failed batch again under the same id", async () => {
  const store = storeOf(["after"]);
  const counting = countingWith(store);
  counting.noteOpening("A", "live", null);
  await passTime(1_050);
  expect(counting.warnings).toEqual(["Openings of reports couldn't be recorded. Trying again."]);
  counting.noteOpening("A", "live", null);
  await passTime(5_100);
  const [first, second, third] = store.calls;
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(sumsOf(store.added.values())).toEqual({ "A live null": 2 });
});

test("keeps a limited number of openings, however many attempts of strangers there are", async () => {
  const store = storeOf();
  const counting = countingWith(store);
  for (let index = 0; index < 50_000; index++) counting.noteRefusal({ name: `n${index}` });
  counting.noteOpening("A", "live", null);
  for (let index = 0; index < 50_000; index++) counting.noteOpening("A", "live", `u${index}`);
  await counting.close();
  const batches = [...store.added.values()];
  expect(batches.flatMap(({ refusals }) => refusals)).toHaveLength(1_000);
  // The first thousand were being added meanwhile.
  expect(batches.flatMap(({ openings }) => openings)).toHaveLength(11_000);
  expect(Math.max(...batches.map(({ openings, refusals }) => openings.length + refusals.length))).toBeLessThanOrEqual(
    2_000,
  );
  expect(counting.warnings).toEqual(["88001 openings of reports weren't counted, because there were too many."]);
});

test("adds the rest when it is closed, also while a batch is being added, and then starts no timer", async () => {
  const store = storeOf();
  const counting = countingWith(store);
  counting.noteOpening("A", "live", null);
  void counting.add();
  counting.noteOpening("A", "live", null);
  await counting.close();
  expect(sumsOf(store.added.values())).toEqual({ "A live null": 2 });
  expect(jest.getTimerCount()).toBe(0);
});
