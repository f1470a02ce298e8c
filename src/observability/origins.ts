import { AsyncLocalStorage } from "node:async_hooks";
import type { Cause, Origin } from "../domain/model/audit.ts";
import type { Clock } from "../domain/model/ports.ts";

/** The origin of the server's own actions. */
const SERVER: Origin = {
  actor: null,
  credential: { kind: "server", id: null, name: null },
  requestId: null,
  address: null,
};

/** Carries the origin of a request to the store, through functions that don't depend on it. */
export interface Origins {
  /** Runs `work` as caused by the origin. */
  run<Result>(origin: Origin, work: () => Result): Result;
  /** Returns the origin of the running work. */
  current(): Origin;
}

/** Creates origins that follow the asynchronous calls of `work`. */
export function createOrigins(): Origins {
  const storage = new AsyncLocalStorage<Origin>();
  return { run: (origin, work) => storage.run(origin, work), current: () => storage.getStore() ?? SERVER };
}

/** Returns a function that returns who causes the running work, at the time of the clock. */
export const causeFinder = (origins: Pick<Origins, "current">, clock: Clock) => (): Cause => ({
  ...origins.current(),
  at: clock.now(),
});
