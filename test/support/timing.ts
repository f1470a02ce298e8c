/** Milliseconds that some work takes at its quickest: whatever else the machine does makes it slower and never quicker. */
export function quickest(work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

/**
 * Milliseconds that each of some ways to ask takes, asked in turns: the lower quartile, since whatever else the machine
 * does makes single answers slower, and never quicker.
 */
export async function typicalTimes<Name extends string>(
  asks: Readonly<Record<Name, () => Promise<unknown>>>,
  rounds: number,
): Promise<Record<Name, number>> {
  // Object.keys knows no more than that they are texts.
  const names = Object.keys(asks) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const turned = names.map((_, place) => names[(place + round) % names.length] as Name);
    // Nobody always comes after the same one.
    for (const name of round % 2 === 0 ? turned : turned.toReversed()) {
      const startedAt = performance.now();
      await asks[name]();
      times.get(name)?.push(performance.now() - startedAt);
    }
  }
  const quartileOf = (name: Name) => {
    const sorted = (times.get(name) ?? []).toSorted((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
  };
  return Object.fromEntries(names.map((name) => [name, quartileOf(name)])) as Record<Name, number>;
}
