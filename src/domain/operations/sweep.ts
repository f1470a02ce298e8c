import type { Blobs } from "../model/blobs.ts";
import type { PartState } from "../model/health.ts";
import { codeOfKey, objectKeys } from "../model/objects.ts";
import type { Clock, OperatorLog } from "../model/ports.ts";
import { clearAway } from "./clearing.ts";
import type { OperationsStore } from "./ports.ts";

/** Age in milliseconds from which an object without a row counts as an orphan. Until then it may be being published. */
const PUBLISH_TIME = 60 * 60_000;
const DAY = 24 * 60 * 60_000;
const BATCH = 200;
/** Milliseconds between looks whether a backup has ended. */
const BACKUP_PAUSE = 5_000;
/** Minimum number of stored objects for a sweep to be held. */
const HOLD_FROM = 100;
/** A sweep that would delete more than this share of all objects is held. */
const HOLD_SHARE = 0.1;

interface Dependencies {
  store: { operations: OperationsStore };
  blobs: Blobs;
  clock: Clock;
  wait(milliseconds: number): Promise<void>;
  log: OperatorLog;
  /** How long an object must have been unreferenced before it is deleted. */
  orphanDays: number;
}

/** The result of a run. */
export interface Swept {
  removed: number;
  /** Set if an operator must confirm the rest. */
  held: { orphans: number; objects: number } | undefined;
}

/** Creates the sweep, which deletes objects left over from crashes and deletions. */
export function createSweep({ store, blobs, clock, wait, log, orphanDays }: Dependencies) {
  /**
   * Deletes the objects of deleted versions, and objects that no version has referenced for `orphanDays`. If the latter
   * are suspiciously many, it keeps them until an operator confirms. Throws soon after the signal is aborted.
   */
  async function run(signal?: AbortSignal): Promise<Swept> {
    const now = clock.now();
    await sweepDeleted(signal);
    const { objects, removed } = await inspectAll(now, signal);
    const firstSeenUntil = now - orphanDays * DAY;
    const due = await store.operations.countDue({ firstSeenUntil });
    const isTooMuch = objects >= HOLD_FROM && due > objects * HOLD_SHARE;
    // A held sweep stays held even if new reports lower the share: the orphans are no less suspicious.
    const isHeld = isTooMuch || (due > 0 && (await store.operations.findHold()) !== undefined);
    if (isHeld) await store.operations.holdSweep({ firstSeenUntil, objects, heldAt: now });
    else await store.operations.releaseHold();
    const gone = await removeDue(firstSeenUntil, isHeld, signal);
    return { removed: removed + gone, held: isHeld ? { orphans: due, objects } : undefined };
  }

  /**
   * Waits until no backup is in progress. Another one can begin at any time, so each deletion asks again after it has
   * read the rows, see `BackupStore`.
   */
  async function untilNoBackup(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    while (await store.operations.isBackingUp()) {
      await wait(BACKUP_PAUSE);
      signal?.throwIfAborted();
    }
  }

  async function sweepDeleted(signal: AbortSignal | undefined): Promise<void> {
    for (let after = ""; ; ) {
      await untilNoBackup(signal);
      const codes = await store.operations.listUnswept(BATCH, after);
      const last = codes.at(-1);
      if (last === undefined) return;
      after = last;
      const living = new Set(await store.operations.findLiving(codes));
      const gone = codes.filter((code) => !living.has(code));
      if (gone.length > 0) await clearAway({ store, blobs, log }, gone, clock.now());
    }
  }

  /** Lists all objects. Records orphans, and immediately deletes half-written files and objects of deleted versions. */
  async function inspectAll(
    now: number,
    signal: AbortSignal | undefined,
  ): Promise<{ objects: number; removed: number }> {
    let [objects, removed] = [0, 0];
    let batch: string[] = [];
    for await (const { key, modifiedAt } of blobs.list()) {
      if (isObject(key)) objects++;
      if (modifiedAt < now - PUBLISH_TIME) batch.push(key);
      if (batch.length < BATCH) continue;
      await untilNoBackup(signal);
      removed += await inspect(batch, now);
      batch = [];
    }
    await untilNoBackup(signal);
    removed += await inspect(batch, now);
    await store.operations.forgetOrphans({ notSeenSince: now });
    return { objects, removed };
  }

  async function inspect(keys: readonly string[], now: number): Promise<number> {
    if (keys.length === 0) return 0;
    const codes = [...new Set(keys.map(codeOfKey))];
    const living = new Set(await store.operations.findLiving(codes));
    const retired = new Set(await store.operations.findRetired(codes));
    // A half-written file is an orphan even if the object itself is referenced.
    const orphans = keys.filter((key) => !isObject(key) || !living.has(codeOfKey(key)));
    const isDisposable = (key: string) => !isObject(key) || retired.has(codeOfKey(key));
    const disposable = orphans.filter(isDisposable);
    // The next sweep deletes what a backup may need now.
    const removed = (await store.operations.isBackingUp()) ? [] : disposable;
    await blobs.delete(removed);
    await store.operations.noteOrphans({ keys: orphans.filter((key) => !isDisposable(key)), now });
    return removed.length;
  }

  async function removeDue(firstSeenUntil: number, onlyConfirmed: boolean, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (let after = ""; ; ) {
      await untilNoBackup(signal);
      const keys = await store.operations.listDue({ firstSeenUntil, onlyConfirmed, after, limit: BATCH });
      const last = keys.at(-1);
      if (last === undefined) return removed;
      after = last;
      // A version may have been restored since the objects were listed.
      const living = new Set(await store.operations.findLiving([...new Set(keys.map(codeOfKey))]));
      const gone = keys.filter((key) => !living.has(codeOfKey(key)));
      if (await store.operations.isBackingUp()) continue;
      await blobs.delete(gone);
      await store.operations.removeOrphans({ keys });
      removed += gone.length;
    }
  }

  /** Deletes the orphans that an operator confirmed, except those referenced again. Returns how many it deleted. */
  const removeConfirmed = () => removeDue(clock.now() - orphanDays * DAY, true);

  /** Returns `degraded` if a sweep waits for an operator, no matter which replica held it. */
  async function health(): Promise<PartState> {
    const hold = await store.operations.findHold();
    if (hold === undefined) return { state: "ok" };
    return { state: "degraded", detail: describeHold(hold) };
  }

  return { run, removeConfirmed, health };
}

/** Describes a held sweep for operators. */
export const describeHold = ({ orphans, objects }: { orphans: number; objects: number }): string =>
  `The sweep would delete ${orphans} of ${objects} published objects, because no report refers to them. It deletes none of them until you run vitrine blobs sweep.`;

const isObject = (key: string) => objectKeys(codeOfKey(key)).includes(key);
