import { UnreachableError } from "../domain/model/unreachable-error.ts";
import type { Log } from "../hosts/http/failures.ts";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;

/** Does something again while what it needs cannot be reached and there is patience left; then throws what it threw. */
export type Persist = <Result>(action: () => Promise<Result>) => Promise<Result>;

/** Starts to be patient now, for so many milliseconds in all. Every try that fails is one line in the log. */
export function createPatience(patience: number, log: Pick<Log, "error">, now = () => performance.now()): Persist {
  const deadline = now() + patience;
  return async (action) => {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        return await action();
      } catch (error) {
        const left = deadline - now();
        if (!(error instanceof UnreachableError) || left <= 0) throw error;
        const wait = Math.ceil(Math.min(pause, left));
        log.error({ message: `Not started yet; trying again in ${wait} ms.`, requestId: "", error: error.message });
        await Bun.sleep(wait);
      }
    }
  };
}
