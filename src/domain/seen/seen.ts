import { authorizeReadItem, authorizeReadVersion, mayControlItem } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller, Instant } from "../model/entities.ts";
import type { ChangeEvent, Events } from "../model/events.ts";
import { forbidden } from "../model/failure.ts";
import { CODE_PATTERN } from "../model/names.ts";
import type { Clock, OperatorLog } from "../model/ports.ts";
import type { SeenBy } from "../model/seen-by.ts";
import { findReferenced, type Reference } from "../reports/item-references.ts";
import type { ItemStore } from "../reports/ports.ts";
import type { Counting } from "./counting.ts";
import type { SeenRecord, SeenStore } from "./ports.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** Days after its last opening for which a record is kept. */
const KEPT_DAYS = 400;
/** Records deleted by one transaction. */
const REMOVED = 2_000;
const LISTED_VERSIONS = 50;
const LISTED_READERS = 200;

/** Who opened a report, as those who control it may know. */
export interface SeenReport extends SeenRecord {
  seenBy: SeenBy;
}

interface Dependencies {
  store: { reports: Pick<ItemStore, "findNamedReport" | "findVersion">; seen: SeenStore };
  events: Pick<Events, "subscribe">;
  clock: Clock;
  log: OperatorLog;
}

/** Creates the service that records who opens reports, in the workspaces that want it. */
export function createSeen({ store, events, clock, log }: Dependencies, counting: Counting) {
  const { noteOpening } = counting;
  /** What workspaces record, without those that record nothing. The store checks again when it adds openings. */
  let modes: ReadonlyMap<string, SeenBy> = new Map();
  let loads = 0;

  const unsubscribe = events.subscribe((event) => {
    if (concernsModes(event)) void load();
  });

  /** Reads what workspaces record. Doesn't reject. */
  async function load(): Promise<void> {
    const own = ++loads;
    try {
      const listed = await store.seen.listSeenBy();
      // A later reading may have been answered sooner.
      if (own === loads) modes = new Map(listed.map(({ workspaceId, seenBy }) => [workspaceId, seenBy]));
    } catch (error) {
      log.warn({ message: "Couldn't read which workspaces record openings.", error });
    }
  }

  /** Returns what a workspace records. */
  const modeOf = (workspaceId: string): SeenBy => modes.get(workspaceId) ?? "off";

  /** Returns whether a reader who is signed in gets named. */
  const namesReader = (workspaceId: string, isPrivate: boolean): boolean =>
    !isPrivate && modes.get(workspaceId) === "names";

  /**
   * Counts an attempt of someone who may not read a report. Takes the same steps for a report that doesn't exist, so that the time of
   * the answer doesn't tell.
   */
  function noteRefusal(reference: Reference): void {
    if (modes.size > 0) counting.noteRefusal(reference);
  }

  /** Counts that the portal shows a version to the caller. Throws `NotFound`. */
  async function noteShown(caller: Caller, code: string, isPrivate: boolean): Promise<void> {
    const found = CODE_PATTERN.test(code) ? await store.reports.findVersion(code, caller) : undefined;
    const shown = authorizeReadVersion(caller, found);
    if (shown === undefined) throw reportNotFound({ code });
    const { workspaceId } = shown.item;
    if (modeOf(workspaceId) === "off") return;
    noteOpening(code, "portal", namesReader(workspaceId, isPrivate) ? caller.userId : null);
  }

  /** Returns who opened a report; other replicas add what they counted within ten seconds. Throws `NotFound`, or `Forbidden` for callers who don't control it. */
  async function describe(caller: Caller, reference: Reference): Promise<SeenReport> {
    const found = authorizeReadItem(caller, await findReferenced(store.reports, caller, reference));
    if (found === undefined) throw reportNotFound(reference);
    if (!mayControlItem(caller, found.item)) {
      throw forbidden(
        "Only the person who published this report, and owners and admins of the workspace, can see who opened it.",
      );
    }
    const { id: itemId, workspaceId } = found.item;
    await counting.add();
    const [seenBy, record] = await Promise.all([
      store.seen.findSeenBy(workspaceId),
      store.seen.readSeen({ itemId, workspaceId, versions: LISTED_VERSIONS, readers: LISTED_READERS }),
    ]);
    return seenBy === "off" ? { seenBy, versions: [], links: [], readers: [], refusals: null } : { seenBy, ...record };
  }

  /** Deletes old records, and any that a changed setting no longer allows. Returns how many. */
  async function removeExpired(signal: AbortSignal): Promise<number> {
    const before: Instant = clock.now() - KEPT_DAYS * DAY;
    for (let removed = 0; ; ) {
      signal.throwIfAborted();
      const count = await store.seen.removeExpiredSeen({ before, limit: REMOVED });
      removed += count;
      if (count < REMOVED) return removed;
    }
  }

  /** The background task that deletes records of openings long ago. */
  const expiry = {
    name: "seen expiry",
    every: DAY,
    async run(signal: AbortSignal): Promise<string | undefined> {
      const removed = await removeExpired(signal);
      return removed === 0 ? undefined : `Deleted ${removed} old ${removed === 1 ? "record" : "records"} of openings.`;
    },
  };

  /** Adds what was counted to the store, and counts nothing more. */
  async function close(): Promise<void> {
    unsubscribe();
    await counting.close();
  }

  return { load, modeOf, namesReader, noteOpening, noteShown, noteRefusal, describe, expiry, close };
}

export type Seen = ReturnType<typeof createSeen>;

const concernsModes = (event: ChangeEvent): boolean =>
  event.kind === "missed" || (event.kind === "workspaceChanged" && event.about === "settings");
