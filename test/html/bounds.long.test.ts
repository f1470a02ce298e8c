import { describe, expect, test } from "bun:test";
import { Budget } from "../../src/html/budget.ts";
import { analyse } from "../../src/html/warnings/analyse.ts";
import { onThisMachine, quickest } from "../support/timing.ts";
import { WORST_DOCUMENTS } from "./worst-documents.ts";

const SMALL = 32 * 1024;
const FACTOR = 4;
/** A token of two characters is read, visited and looked up again. */
const STEPS_PER_CHARACTER = 24;
const STEPS_ANYWAY = 2_000;

function stepsOf(files: ReadonlyMap<string, string>): number {
  const budget = new Budget();
  analyse(files, { budget });
  return budget.spent;
}

describe("the work of reading the worst documents", () => {
  test("is measured with at least fifty of them", () => {
    expect(WORST_DOCUMENTS.length).toBeGreaterThanOrEqual(50);
  });

  test.each(WORST_DOCUMENTS.map(({ name, make }) => [name, make] as const))("%s", (_, make) => {
    const small = new Map(Object.entries(make(SMALL)));
    const large = new Map(Object.entries(make(SMALL * FACTOR)));
    const steps = stepsOf(large);
    expect(steps).toBeLessThanOrEqual(SMALL * FACTOR * STEPS_PER_CHARACTER + STEPS_ANYWAY);
    expect(steps).toBeLessThanOrEqual((stepsOf(small) + STEPS_ANYWAY) * FACTOR * 1.5);
    // Work that isn't counted as a step shows in the time.
    const [quick, slow] = [quickest(() => analyse(small)), quickest(() => analyse(large))];
    expect(slow).toBeLessThanOrEqual(FACTOR * 2.5 * Math.max(quick, 10));
  });

  test.each(WORST_DOCUMENTS.map(({ name, make }) => [name, make] as const))(
    "2 MB of %s are read in time",
    (_, make) => {
      const files = new Map(Object.entries(make(2_000_000)));
      const budget = new Budget({ now: cpuMilliseconds });
      const before = cpuMilliseconds();
      analyse(files, { budget });
      expect(cpuMilliseconds() - before).toBeLessThan(onThisMachine(1_500));
    },
  );
});

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
