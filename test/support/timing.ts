/**
 * Milliseconds of processor time that some work takes at its quickest: whatever else the machine does makes it slower and
 * never quicker.
 */
export function quickest(work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

type Ask = () => Promise<unknown>;

/**
 * Milliseconds that each of some ways to ask takes, asked in turns: the lower quartile, since whatever else the machine
 * does makes single answers slower, and never quicker.
 */
export async function typicalTimes(asks: readonly Ask[], rounds: number): Promise<number[]> {
  const times = new Map<Ask, number[]>(asks.map((ask) => [ask, []]));
  for (let round = 0; round < rounds; round++) {
    // Nobody always comes after the same one.
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
