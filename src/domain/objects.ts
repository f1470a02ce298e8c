import type { Instant } from "./model.ts";
import type { Blobs, OperatorLog, Store } from "./ports.ts";

/** Objects removed at a time. */
const BATCH = 500;

interface ClearAwayDependencies {
  store: { sweep: Pick<Store["sweep"], "markSwept"> };
  blobs: Pick<Blobs, "delete">;
  log: Pick<OperatorLog, "warn">;
}

/** Removes the objects of deleted versions. What fails here is done later by the sweep. */
export async function clearAway(
  { store, blobs, log }: ClearAwayDependencies,
  codes: readonly string[],
  now: Instant,
): Promise<void> {
  try {
    for (let start = 0; start < codes.length; start += BATCH) {
      const batch = codes.slice(start, start + BATCH);
      await blobs.delete(batch.flatMap(objectKeys));
      await store.sweep.markSwept({ codes: batch, now });
    }
  } catch (error) {
    // Their rows are gone, so nobody can read the objects, and the sweep lists the same codes.
    log.warn({ message: "Objects of deleted reports could not be removed. The next sweep removes them.", error });
  }
}

/** The key under which the compressed forms of a version's files are kept. */
export const compressedKey = (code: string) => `${code}.z`;

/** Every object that may exist for a version. */
export const objectKeys = (code: string) => [code, compressedKey(code)];

/** Returns the code of the version that an object, or a half-written file of one, belongs to. */
export const codeOfKey = (key: string): string => key.split(".")[0] ?? "";

/** Thrown for an object that is missing, or not what was stored under its key. */
export class DamagedObject extends Error {
  override readonly name = "DamagedObject";
  readonly key: string;

  constructor(key: string) {
    super(`The object ${key} is missing or damaged.`);
    this.key = key;
  }
}
