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

const FACTOR = 8;

/**
 * Fails if work takes longer than in proportion to its size. `prepare` returns the work for a share of the whole, from 0
 * to 1. Quadratic work takes 64 times as long for 8 times the size.
 */
export function expectLinear(prepare: (share: number) => () => void): void {
  const [small, large] = [quickest(prepare(1 / FACTOR)), quickest(prepare(1))];
  // Four milliseconds are more than the clock's grain.
  expect(large).toBeLessThan(3 * FACTOR * Math.max(4, small));
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
