import { clearAway, objectKeys } from "./objects.ts";
import type { Blobs, Clock, Store } from "./ports.ts";

/** An object without a row is left alone this long, in milliseconds: its publish may still be under way. */
const ORPHAN_AGE = 60 * 60_000;
const BATCH = 200;

interface Parts {
  store: Pick<Store, "sweep">;
  blobs: Blobs;
  clock: Clock;
}

/** Clearing away what crashes and deletions leave behind in the blob store, and what time leaves in the database. */
export function createSweep({ store, blobs, clock }: Parts) {
  /** Removes the objects of deleted versions, and objects that no version ever named. Returns how many orphans went. */
  async function run(): Promise<number> {
    await store.sweep.removeExpired({ now: clock.now() });
    await sweepDeleted();
    return sweepOrphans();
  }

  async function sweepDeleted(): Promise<void> {
    for (;;) {
      const codes = await store.sweep.listUnswept(BATCH);
      if (codes.length === 0) return;
      await clearAway({ store, blobs }, codes, clock.now());
      const left = await store.sweep.listUnswept(BATCH);
      if (left[0] === codes[0]) return;
    }
  }

  async function sweepOrphans(): Promise<number> {
    const before = clock.now() - ORPHAN_AGE;
    let swept = 0;
    let batch: string[] = [];
    for await (const { key, modifiedAt } of blobs.list()) {
      if (modifiedAt < before) batch.push(key);
      if (batch.length < BATCH) continue;
      swept += await removeOrphans(batch);
      batch = [];
    }
    return swept + (await removeOrphans(batch));
  }

  async function removeOrphans(keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    const codeOf = (key: string) => key.split(".")[0] ?? "";
    const living = new Set(await store.sweep.findLiving([...new Set(keys.map(codeOf))]));
    const orphans = keys.filter((key) => !living.has(codeOf(key)) || !objectKeys(codeOf(key)).includes(key));
    await blobs.delete(orphans);
    return orphans.length;
  }

  return { run };
}
