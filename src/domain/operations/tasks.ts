import type { Clock, OperatorLog } from "../model/ports.ts";
import type { SweepStore } from "./ports.ts";
import type { Task } from "./schedule.ts";
import { describeHold, type Swept } from "./sweep.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

interface ExpiryDependencies {
  store: { operations: Pick<SweepStore, "removeExpired"> };
  clock: Clock;
}

/** Creates the task that removes expired sessions, invitations and single-use secrets every hour. */
export const expiryTask = ({ store, clock }: ExpiryDependencies): Task => ({
  name: "expiry",
  every: HOUR,
  async run() {
    await store.operations.removeExpired({ now: clock.now() });
    return undefined;
  },
});

/** Creates the task that reads some objects every hour to find damage. */
export const scrubTask = ({ run }: { run: Task["run"] }): Task => ({ name: "scrub", every: HOUR, run });

interface SweepDependencies {
  sweep: { run(signal: AbortSignal): Promise<Swept> };
  log: OperatorLog;
}

/** Creates the task that sweeps every day. */
export const sweepTask = ({ sweep, log }: SweepDependencies): Task => ({
  name: "sweep",
  every: DAY,
  async run(signal) {
    const { removed, held } = await sweep.run(signal);
    if (held !== undefined) log.warn({ message: describeHold(held) });
    return `Deleted ${removed === 1 ? "1 unreferenced object" : `${removed} unreferenced objects`}.`;
  },
});
