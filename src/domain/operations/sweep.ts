import type { Blobs } from "../model/blobs.ts";
import type { PartState } from "../model/health.ts";
import { codeOfKey, objectKeys } from "../model/objects.ts";
import type { Clock, OperatorLog } from "../model/ports.ts";
import { clearAway } from "./clearing.ts";
import type { OperationsStore } from "./ports.ts";

/** An object without a row is left alone this long, in milliseconds: its publish may still be under way. */
const PUBLISH_TIME = 60 * 60_000;
const DAY = 24 * 60 * 60_000;
const BATCH = 200;
/** A sweep of fewer objects than this is never held. */
const HOLD_FROM = 100;
/** The share of all objects above which a sweep is held. */
const HOLD_SHARE = 0.1;

interface Parts {
  store: { operations: OperationsStore };
  blobs: Blobs;
  clock: Clock;
  log: OperatorLog;
  /** How long an object must have been unreferenced before it is deleted. */
  orphanDays: number;
}

/** What a run did. */
export interface Swept {
  removed: number;
  /** Set when an operator must confirm the rest. */
  held: { orphans: number; objects: number } | undefined;
}

/** Deletes what crashes and deletions leave in the blob store, and what expires in the database. */
export function createSweep({ store, blobs, clock, log, orphanDays }: Parts) {
  /**
   * Deletes the objects of deleted versions, and objects that no version has named for `orphanDays`. Where the latter
   * are too many to be believed, it keeps them all until an operator confirms.
   */
  async function run(): Promise<Swept> {
    const now = clock.now();
    await store.operations.removeExpired({ now });
    await sweepDeleted();
    const { objects, removed } = await look(now);
    const firstSeenUntil = now - orphanDays * DAY;
    const due = await store.operations.countDue({ firstSeenUntil });
    const isTooMuch = objects >= HOLD_FROM && due > objects * HOLD_SHARE;
    // A held sweep stays held: reports published since don't make what it would delete any more credible.
    const isHeld = isTooMuch || (due > 0 && (await store.operations.findHold()) !== undefined);
    if (isHeld) await store.operations.holdSweep({ firstSeenUntil, objects, heldAt: now });
    else await store.operations.releaseHold();
    const gone = await removeDue(firstSeenUntil, isHeld);
    return { removed: removed + gone, held: isHeld ? { orphans: due, objects } : undefined };
  }

  async function sweepDeleted(): Promise<void> {
    for (let after = ""; ; ) {
      const codes = await store.operations.listUnswept(BATCH, after);
      const last = codes.at(-1);
      if (last === undefined) return;
      after = last;
      const living = new Set(await store.operations.findLiving(codes));
      const gone = codes.filter((code) => !living.has(code));
      if (gone.length > 0) await clearAway({ store, blobs, log }, gone, clock.now());
    }
  }

  /** Looks at every object: notes orphans, and removes at once what is certainly not wanted any more. */
  async function look(now: number): Promise<{ objects: number; removed: number }> {
    let [objects, removed] = [0, 0];
    let batch: string[] = [];
    for await (const { key, modifiedAt } of blobs.list()) {
      if (isObject(key)) objects++;
      if (modifiedAt < now - PUBLISH_TIME) batch.push(key);
      if (batch.length < BATCH) continue;
      removed += await judge(batch, now);
      batch = [];
    }
    removed += await judge(batch, now);
    await store.operations.forgetOrphans({ notSeenSince: now });
    return { objects, removed };
  }

  async function judge(keys: readonly string[], now: number): Promise<number> {
    if (keys.length === 0) return 0;
    const codes = [...new Set(keys.map(codeOfKey))];
    const living = new Set(await store.operations.findLiving(codes));
    const retired = new Set(await store.operations.findRetired(codes));
    // Half-written files belong to nobody, even beside an object that is referenced.
    const orphans = keys.filter((key) => !isObject(key) || !living.has(codeOfKey(key)));
    const isUnwanted = (key: string) => !isObject(key) || retired.has(codeOfKey(key));
    const unwanted = orphans.filter(isUnwanted);
    await blobs.delete(unwanted);
    await store.operations.noteOrphans({ keys: orphans.filter((key) => !isUnwanted(key)), now });
    return unwanted.length;
  }

  async function removeDue(firstSeenUntil: number, onlyConfirmed: boolean): Promise<number> {
    let removed = 0;
    for (let after = ""; ; ) {
      const keys = await store.operations.listDue({ firstSeenUntil, onlyConfirmed, after, limit: BATCH });
      const last = keys.at(-1);
      if (last === undefined) return removed;
      after = last;
      // A row may have come back since the objects were looked at.
      const living = new Set(await store.operations.findLiving([...new Set(keys.map(codeOfKey))]));
      const gone = keys.filter((key) => !living.has(codeOfKey(key)));
      await blobs.delete(gone);
      await store.operations.removeOrphans({ keys });
      removed += gone.length;
    }
  }

  /** Deletes what an operator has confirmed, unless it is referenced by now. Returns how many objects went. */
  const removeConfirmed = () => removeDue(clock.now() - orphanDays * DAY, true);

  /** Returns whether a sweep waits for an operator, whichever replica held it. */
  async function health(): Promise<PartState> {
    const hold = await store.operations.findHold();
    if (hold === undefined) return { state: "ok" };
    return { state: "degraded", detail: describeHold(hold) };
  }

  return { run, removeConfirmed, health };
}

/** Returns what an operator should know of a held sweep. */
export const describeHold = ({ orphans, objects }: { orphans: number; objects: number }): string =>
  `The sweep would delete ${orphans} of ${objects} published objects, because no report refers to them. It deletes none of them until you run vitrine blobs sweep.`;

const isObject = (key: string) => objectKeys(codeOfKey(key)).includes(key);
