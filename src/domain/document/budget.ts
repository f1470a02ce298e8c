/** What the analysis of one upload may cost. Time is optional: without a clock, steps alone count. */
export interface Bounds {
  /** One step is the work of reading one tag or attribute: about 100 ns. */
  readonly maxSteps?: number;
  readonly maxMilliseconds?: number;
  /** Milliseconds; processor time where that can be had, so that the findings do not depend on the load. */
  readonly now?: () => number;
}

/** Thrown where the bounds are reached. */
export class OverBudget extends Error {}

/** The cost of one token of a script, which becomes nodes of a tree. */
export const TOKEN_STEPS = 8;

/** The cost of resolving one reference: not much time, but 300 bytes of garbage, which is collected late. */
export const REFERENCE_STEPS = 200;

const MAX_STEPS = 20_000_000;
const MAX_MILLISECONDS = 400;
/** Of text that is only skipped, this much costs one step. */
const SKIPPED_PER_STEP = 256;
const STEPS_BETWEEN_LOOKS = 8_192;

/** Counts the steps of an analysis and ends it when they, or the time, are too many. */
export class Budget {
  spent = 0;
  private readonly maxSteps: number;
  private readonly now: () => number;
  private readonly deadline: number;
  private nextLook = STEPS_BETWEEN_LOOKS;

  constructor({ maxSteps = MAX_STEPS, maxMilliseconds = MAX_MILLISECONDS, now = () => 0 }: Bounds = {}) {
    this.maxSteps = maxSteps;
    this.now = now;
    this.deadline = now() + maxMilliseconds;
  }

  /** Throws `OverBudget` when the bounds are reached. */
  spend(steps: number): void {
    this.spent += steps;
    if (this.spent > this.maxSteps) throw new OverBudget("Too many steps");
    if (this.spent < this.nextLook) return;
    this.nextLook = this.spent + STEPS_BETWEEN_LOOKS;
    if (this.now() > this.deadline) throw new OverBudget("Too much time");
  }

  /** Throws `OverBudget` when the bounds are reached. */
  spendText(length: number): void {
    this.spend(1 + Math.floor(length / SKIPPED_PER_STEP));
  }
}
