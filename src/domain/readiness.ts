import type { Events } from "./event-ports.ts";
import type { Blobs, Clock, Store } from "./ports.ts";

/** Milliseconds for which an answer is good. */
const FRESHNESS = 1_000;
/** Milliseconds after which whoever has not answered counts as away. */
const PATIENCE = 2_000;
/** No code, and looked for like one. */
const NO_CODE = "0000000000000000";

interface Parts {
  store: Pick<Store, "serve">;
  blobs: Pick<Blobs, "check">;
  events: Pick<Events, "isHearing">;
  clock: Clock;
}

/** Whether requests can be answered: what all of them need is asked for now and then, however often it is wanted. */
export function createReadiness({ store, blobs, events, clock }: Parts) {
  let asked: { at: number; answer: Promise<boolean> } | undefined;
  let isStopping = false;

  async function ask(): Promise<boolean> {
    const tooLate = Promise.withResolvers<boolean>();
    const timer = setTimeout(tooLate.resolve, PATIENCE, false);
    const answers = Promise.all([store.serve.findVisibility(NO_CODE), blobs.check()]);
    try {
      return await Promise.race([answers.then(() => true), tooLate.promise]);
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  async function isReady(): Promise<boolean> {
    if (isStopping || !events.isHearing()) return false;
    const now = clock.now();
    if (asked === undefined || Math.abs(now - asked.at) >= FRESHNESS) asked = { at: now, answer: ask() };
    return (await asked.answer) && !isStopping;
  }

  /** Not ready from now on. */
  function stop(): void {
    isStopping = true;
  }

  return { isReady, stop };
}

export type Readiness = ReturnType<typeof createReadiness>;
