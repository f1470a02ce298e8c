import type { Blobs } from "../model/blobs.ts";
import type { Instant } from "../model/entities.ts";
import { objectKeys } from "../model/objects.ts";
import type { OperationsStore } from "./ports.ts";

/** Objects removed at a time. */
const BATCH = 500;
/** Removes the objects of deleted versions. What fails here is done later by the sweep. */
export async function clearAway(
  { store, blobs }: { store: { operations: OperationsStore }; blobs: Blobs },
  codes: readonly string[],
  now: Instant,
): Promise<void> {
  try {
    for (let start = 0; start < codes.length; start += BATCH) {
      const batch = codes.slice(start, start + BATCH);
      await blobs.delete(batch.flatMap(objectKeys));
      await store.operations.markSwept({ codes: batch, now });
    }
  } catch {
    // The rows are gone and nobody can read the objects; the sweep finds them by the same list.
  }
}
