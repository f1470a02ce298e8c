import type { Blobs } from "../model/blobs.ts";
import type { Instant } from "../model/entities.ts";
import { objectKeys } from "../model/objects.ts";
import type { OperatorLog } from "../model/ports.ts";
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
