import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createWindows } from "../../../src/hosts/http/windows.ts";
import { runsOf } from "../../support/runs.ts";

const LENGTH = 1_000;

function createTimed(most?: number) {
  let now = 1_800_000_000_000;
  const windows = createWindows({ length: LENGTH, clock: { now: () => now }, ...(most === undefined ? {} : { most }) });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { windows, pass, now: () => now };
}

/** A plain list of counts. */
function createModel(now: () => number) {
  const counts = new Map<string, { endsAt: number; count: number }>();
  function find(key: string) {
    const found = counts.get(key);
    return found !== undefined && found.endsAt > now() && found.count > 0 ? found : { endsAt: 0, count: 0 };
  }
  function add(key: string, by: number): number {
    const { count, endsAt } = find(key);
    const changed = { count: Math.max(0, count + by), endsAt: endsAt || now() + LENGTH };
    counts.set(key, changed);
    return changed.count;
  }
  return { find, add };
}

const steps = fc.array(
  fc.oneof(
    fc.record({ key: fc.nat({ max: 9 }).map(String), by: fc.integer({ min: -2, max: 5 }) }),
    fc.record({ pass: fc.nat({ max: LENGTH }) }),
    fc.record({ look: fc.nat({ max: 9 }).map(String) }),
  ),
  { maxLength: 60 },
);

describe("counts in windows", () => {
  test("equal those of a plain list, as long as there are not too many keys", () =>
    fc.assert(
      fc.property(steps, (all) => {
        const { windows, pass, now } = createTimed();
        const model = createModel(now);
        for (const step of all) {
          if ("pass" in step) pass(step.pass);
          else if ("by" in step) expect(windows.add(step.key, step.by)).toBe(model.add(step.key, step.by));
          else {
            expect(windows.count(step.look)).toBe(model.find(step.look).count);
            const left = Math.ceil((model.find(step.look).endsAt - now()) / 1000);
            expect(windows.secondsLeft(step.look)).toBe(Math.max(1, left));
          }
        }
      }),
      { numRuns: runsOf(1000) },
    ));

  test("are not changed by reading", () => {
    const { windows } = createTimed();
    for (let key = 0; key < 1000; key++) {
      expect(windows.count(`key ${key}`)).toBe(0);
      windows.secondsLeft(`key ${key}`);
      windows.add(`key ${key}`, -1);
    }
    expect(windows.size).toBe(0);
  });

  test("from expired windows make room for new ones", () => {
    const { windows, pass } = createTimed();
    for (let key = 0; key < 1000; key++) windows.add(`key ${key}`, 1 + (key % 5));
    expect(windows.size).toBe(1000);
    pass(LENGTH);
    windows.add("another", 1);
    expect(windows.size).toBe(1);
  });

  test("are kept for a limited number of keys, preferring the highest", () => {
    const { windows } = createTimed(100);
    for (let count = 0; count < 9; count++) windows.add("attacked", 1);
    for (let key = 0; key < 10_000; key++) {
      windows.add(`flood ${key}`, 1);
      expect(windows.size).toBeLessThanOrEqual(100);
    }
    expect(windows.count("attacked")).toBe(9);
    expect(windows.add("newcomer", 1)).toBe(1);
    // The flood only displaces itself.
    expect([windows.count("flood 0"), windows.count("flood 9999")]).toEqual([0, 1]);
    for (let key = 0; key < 200; key++) windows.add(`heavy ${key}`, 5);
    expect(windows.size).toBe(100);
  });

  test("are not kept longer if the clock is set back", () => {
    const { windows, pass } = createTimed();
    windows.add("key", 5);
    pass(-10 * LENGTH);
    expect(windows.count("key")).toBe(0);
    expect(windows.add("key", 1)).toBe(1);
    pass(LENGTH);
    expect(windows.count("key")).toBe(0);
  });

  test("cost the same with many keys as with few, also when each new one displaces another", () => {
    /** Returns the milliseconds for the same work beside this many other keys. */
    const timeBeside = (others: number) => {
      const { windows } = createTimed(others + 1);
      for (let key = 0; key < others; key++) windows.add(`other ${key}`, 1);
      const startedAt = performance.now();
      for (let key = 0; key < 50_000; key++) {
        windows.add(`new ${key}`, 1);
        windows.count(`unknown ${key}`);
      }
      return performance.now() - startedAt;
    };
    timeBeside(1_000);
    const ratios = Array.from({ length: 5 }, () => timeBeside(100_000) / timeBeside(1_000)).toSorted((a, b) => a - b);
    console.info(`counting beside 100,000 keys took ${ratios[2]?.toFixed(2)} times as long as beside 1,000`);
    // A scan of all keys takes thousands of times as long.
    expect(ratios[2]).toBeLessThan(20);
  });
});
