/** Returns the value below which a share of all values lies, from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`${share} is no share.`);
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error("No values were measured.");
  return value;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Returns the mean of the middle half of all values. Unlike a median, it shows differences below the steps of a rounded clock. */
export function middleMean(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor(sorted.length / 4), Math.ceil((sorted.length * 3) / 4));
  if (middle.length === 0) throw new Error("No values were measured.");
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

export interface Rounds<Measured, Against> {
  measured: Measured[];
  against: Against[];
}

/** Measures both sides in turns, so that other work on the machine affects both. */
export async function interleave<Measured, Against>(
  count: number,
  measure: (round: number) => Promise<Measured> | Measured,
  measureAgainst: (round: number) => Promise<Against> | Against,
): Promise<Rounds<Measured, Against>> {
  const rounds: Rounds<Measured, Against> = { measured: [], against: [] };
  for (let round = 0; round < count; round++) {
    rounds.measured.push(await measure(round));
    rounds.against.push(await measureAgainst(round));
  }
  return rounds;
}
