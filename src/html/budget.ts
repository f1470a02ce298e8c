/** Limits on the work for one upload. Without a clock only steps count. */
export interface Bounds {
  /** One step is about the work of reading one tag or attribute: 200 ns. */
  readonly maxSteps?: number;
  readonly maxMilliseconds?: number;
  /** Returns milliseconds. Use CPU time where possible, so that findings do not depend on the load. */
  readonly now?: () => number;
}

/** Thrown when the work exceeds its limits. */
export class OverBudget extends Error {}

/** The cost of one script token, which becomes part of a syntax tree. */
export const TOKEN_STEPS = 8;

/** The cost of resolving one reference: little time, but 300 bytes of garbage that are collected late. */
export const REFERENCE_STEPS = 200;

const MAX_STEPS = 20_000_000;
const MAX_MILLISECONDS = 400;
/** Characters of skipped text that cost one step. */
const CHARACTERS_PER_STEP = 256;
const STEPS_BETWEEN_CLOCK_READS = 8_192;

/** Counts the steps of an analysis and stops it when it exceeds its limits. */
export class Budget {
  spent = 0;
  private readonly maxSteps: number;
  private readonly now: () => number;
  private readonly deadline: number;
  private nextClockRead = STEPS_BETWEEN_CLOCK_READS;

  constructor({ maxSteps = MAX_STEPS, maxMilliseconds = MAX_MILLISECONDS, now = () => 0 }: Bounds = {}) {
    this.maxSteps = maxSteps;
    this.now = now;
    this.deadline = now() + maxMilliseconds;
  }

  /** Throws `OverBudget` when a limit is exceeded. */
  spend(steps: number): void {
    this.spent += steps;
    if (this.spent > this.maxSteps) throw new OverBudget("Too many steps");
    if (this.spent < this.nextClockRead) return;
    this.nextClockRead = this.spent + STEPS_BETWEEN_CLOCK_READS;
    if (this.now() > this.deadline) throw new OverBudget("Too much time");
  }

  /** Throws `OverBudget` when a limit is exceeded. */
  spendText(length: number): void {
    this.spend(1 + Math.floor(length / CHARACTERS_PER_STEP));
  }
}
