import { describeHold, type Swept } from "../../domain/operations/sweep.ts";
import type { Log } from "./failures.ts";

const SWEEP_DELAY = 60_000;
const SWEEP_INTERVAL = 24 * 60 * 60_000;

/** Sweeps a while after the start and once a day from then on. */
export function keepSwept(sweep: { run(): Promise<Swept> }, log: Log): { stop(): void } {
  const run = async () => {
    try {
      const { held } = await sweep.run();
      if (held !== undefined) log.error({ message: "The sweep is held.", requestId: "", error: describeHold(held) });
    } catch (error) {
      log.error({ message: "Sweeping the blob store failed.", requestId: "", error });
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

/** Resolves when a supervisor, or somebody at the terminal, wants the process to end. */
export function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
