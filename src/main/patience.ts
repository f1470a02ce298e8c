import { UnreachableError } from "../domain/model/unreachable-error.ts";
import type { Log } from "../observability/log.ts";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;

/** Retries an action while it throws `UnreachableError`, until the time is up. */
export type Persist = <Result>(action: () => Promise<Result>) => Promise<Result>;

/** Returns a function that retries actions for `patience` milliseconds from now and logs each failed attempt. */
export function createPatience(patience: number, log: Pick<Log, "warn">, now = () => performance.now()): Persist {
  const deadline = now() + patience;
  return async (action) => {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        return await action();
      } catch (error) {
        const left = deadline - now();
        if (!(error instanceof UnreachableError) || left <= 0) throw error;
        const wait = Math.ceil(Math.min(pause, left));
        log.warn({ message: `Couldn't start yet. Trying again in ${wait} ms.`, error: error.message });
        await Bun.sleep(wait);
      }
    }
  };
}
