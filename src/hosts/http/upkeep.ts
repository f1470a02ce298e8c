import { describeHold, type Swept } from "../../domain/operations/sweep.ts";
import type { Log } from "../../observability/log.ts";

const SWEEP_DELAY = 60_000;
const SWEEP_INTERVAL = 24 * 60 * 60_000;

/** Sweeps one minute after the start and then once a day. */
export function keepSwept(sweep: { run(): Promise<Swept> }, log: Log): { stop(): void } {
  const run = async () => {
    try {
      const { held } = await sweep.run();
      if (held !== undefined) log.warn({ message: describeHold(held) });
    } catch (error) {
      log.error({ message: "Sweeping the blob store failed.", error });
    }
  };
  const first = setTimeout(run, SWEEP_DELAY);
  const daily = setInterval(run, SWEEP_INTERVAL);
  return {
    stop() {
      clearTimeout(first);
      clearInterval(daily);
    },
  };
}

/** Resolves when the process receives SIGINT or SIGTERM. */
export function untilStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
