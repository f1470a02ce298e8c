/** Upper bounds in seconds, from a read in memory to an upload over a slow line. */
const DURATION_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** Counts values by size, in arrays that are made once, so that counting allocates nothing. */
export interface Histogram {
  /** Counts a value, or several equal ones. */
  observe(value: number, times?: number): void;
  /** Returns how many values were at most each bound, and last how many there were. */
  cumulative(): number[];
  sum(): number;
  readonly bounds: readonly number[];
}

export function createHistogram(bounds: readonly number[] = DURATION_BOUNDS): Histogram {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    bounds,
    observe(value, times = 1) {
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
      counts[bucket] = (counts[bucket] ?? 0) + times;
      sum += value * times;
    },
    cumulative() {
      let total = 0;
      return Array.from(counts, (count) => {
        total += count;
        return total;
      });
    },
    sum: () => sum,
  };
}
