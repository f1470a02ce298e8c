import type { Blobs } from "../model/blobs.ts";
import type { Instant } from "../model/entities.ts";
import { objectKeys } from "../model/objects.ts";
import type { Clock, OperatorLog } from "../model/ports.ts";
import type { OperationsStore } from "./ports.ts";

/** Versions whose objects are removed at a time. */
const BATCH = 500;

interface ClearAwayDependencies {
  store: { operations: Pick<OperationsStore, "isBackingUp" | "markSwept"> };
  blobs: Pick<Blobs, "delete">;
  log: OperatorLog;
}

/** Deletes the objects of deleted versions. If this fails or a backup is in progress, a later sweep does it. */
export async function clearAway(
  { store, blobs, log }: ClearAwayDependencies,
  codes: readonly string[],
  now: Instant,
): Promise<void> {
  try {
    for (let start = 0; start < codes.length; start += BATCH) {
      const batch = codes.slice(start, start + BATCH);
      if (await store.operations.isBackingUp()) return;
      await blobs.delete(batch.flatMap(objectKeys));
      await store.operations.markSwept({ codes: batch, now });
    }
  } catch (error) {
    // The versions have no rows any more, so their objects can't be read, and the sweep will find the same codes.
    log.warn({ message: "Objects of deleted reports could not be removed. The next sweep removes them.", error });
  }
}

/** Creates the queue of deleted versions whose objects are deleted after the requests are answered. */
export function createClearing({ store, blobs, log, clock }: ClearAwayDependencies & { clock: Clock }) {
  let waiting: string[] = [];
  let working: Promise<void> | undefined;

  /** Deletes the objects of deleted versions soon. A process that ends before leaves them to the next sweep. */
  function clearSoon(codes: readonly string[]): void {
    if (codes.length === 0) return;
    waiting = waiting.concat(codes);
    working ??= clearWaiting();
  }

  async function clearWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const codes = waiting;
      waiting = [];
      await clearAway({ store, blobs, log }, codes, clock.now());
    }
    working = undefined;
  }

  /** Resolves when no version waits any more. */
  const settled = async (): Promise<void> => working;

  return { clearSoon, settled };
}

export type Clearing = ReturnType<typeof createClearing>;
