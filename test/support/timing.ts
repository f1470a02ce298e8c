import { expect } from "bun:test";

/** Returns the processor time of the quickest of three tries, in milliseconds: other load only makes work slower. */
export function quickest(work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

const FACTOR = 16;

/**
 * Fails if work takes longer than in proportion to its size. `prepare` returns the work for a share of the whole, from 0
 * to 1. Quadratic work takes 256 times as long for 16 times the size; the limit is 64, because collecting garbage makes
 * linear work take up to 25 times as long.
 */
export function expectLinear(prepare: (share: number) => () => void): void {
  const [small, large] = [quickest(prepare(1 / FACTOR)), quickest(prepare(1))];
  // Four milliseconds exceed the clock's resolution.
  expect(large).toBeLessThan(4 * FACTOR * Math.max(4, small));
}

/** Milliseconds that the reference task takes on the machine for which tests state limits. */
const REFERENCE = 30;

/** Converts a limit of processor time to the present speed of this machine, so that a slow or busy one gets more. */
export function onThisMachine(milliseconds: number): number {
  const task = () => {
    for (let state = 1, turn = 0; turn < 10_000_000; turn++)
      state = Math.imul(state ^ (state >>> 15), state | 1) + turn;
  };
  return milliseconds * Math.max(1, quickest(task) / REFERENCE);
}

type Ask = () => Promise<unknown>;

/**
 * Returns how many milliseconds each of several requests takes: the lower quartile of many rounds, because other load only
 * makes answers slower.
 */
export async function typicalTimes(asks: readonly Ask[], rounds: number): Promise<number[]> {
  const times = new Map<Ask, number[]>(asks.map((ask) => [ask, []]));
  for (let round = 0; round < rounds; round++) {
    // No request always follows the same other one.
    const turn = round % asks.length;
    const turned = [...asks.slice(turn), ...asks.slice(0, turn)];
    for (const ask of round % 2 === 0 ? turned : turned.toReversed()) {
      const startedAt = performance.now();
      await ask();
      times.get(ask)?.push(performance.now() - startedAt);
    }
  }
  return [...times.values()].map((all) => all.toSorted((one, other) => one - other)[Math.floor(rounds / 4)] ?? 0);
}
