import { LRUCache } from "lru-cache";
import type { Events } from "../../domain/model/events.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { StoreFacts } from "../../domain/model/store.ts";
import type { ServedState, ServeStore } from "../../domain/reports/ports.ts";
import { type ServedFile, toServedFiles, withStandIns } from "./forms.ts";

/** Estimated bytes of all versions in memory. */
const CACHE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_VERSION = 400;
const BYTES_PER_FILE = 800;
/** Milliseconds for which a change by a process that sends no events may go unnoticed. */
const OUTSIDE_CHANGE_INTERVAL = 100;

/** A version in memory. Files never change; the rest is current while `epoch` equals the cache's. */
export interface CachedVersion extends ServedState {
  code: string;
  workspaceId: string;
  files: ReadonlyMap<string, ServedFile>;
  epoch: number;
}

interface Dependencies {
  store: ServeStore & Pick<StoreFacts, "changeMark">;
  events: Events;
  clock: Clock;
}

/** Creates a cache of versions by code, which serves only what has certainly not changed. */
export function createVersionCache({ store, events, clock }: Dependencies) {
  const versions = new LRUCache<string, CachedVersion>({ maxSize: CACHE_BYTES, sizeCalculation: estimateBytes });
  /** Looks for versions in memory, other than those for a URL that is remembered. */
  const looks = { hits: 0, misses: 0 };
  let epoch = 0;
  let mark = store.changeMark();
  let markedAt = 0;

  const unsubscribe = events.subscribe((event) => {
    if (event.kind === "versionsChanged") {
      // Versions that are being loaded right now must not count as current either.
      epoch++;
      for (const code of event.codes) versions.delete(code);
    } else if (event.kind === "missed") {
      epoch++;
      // `recall` doesn't look at the epoch.
      versions.clear();
    } else if (event.kind === "compressed") {
      const version = versions.peek(event.code);
      for (const file of withStandIns(version?.files.values() ?? [])) file.compressed = undefined;
    }
  });

  function noticeOutsideChanges(): void {
    const now = clock.now();
    // The system clock may be set back at any time.
    const isFresh = Math.abs(now - markedAt) < OUTSIDE_CHANGE_INTERVAL;
    if (mark !== undefined && isFresh && events.isHearing()) return;
    markedAt = now;
    const newMark = store.changeMark();
    if (newMark === undefined || newMark !== mark) epoch++;
    mark = newMark;
  }

  /** Returns the version if it is in memory and certainly unchanged. */
  function peek(code: string): CachedVersion | undefined {
    const version = versions.get(code);
    const isHit = version !== undefined && isCurrent(version);
    if (isHit) looks.hits++;
    else looks.misses++;
    return isHit ? version : undefined;
  }

  /** Returns whether a cached version is certainly unchanged. */
  function isCurrent(version: CachedVersion): boolean {
    noticeOutsideChanges();
    return version.epoch === epoch;
  }

  /**
   * Returns the version if it is in memory, for callers that have checked access; its visibility may be outdated. Versions
   * whose storage has changed are not in memory.
   */
  const recall = (code: string): CachedVersion | undefined => versions.get(code);

  /** Returns the version from the database; undefined if it doesn't exist. */
  async function load(code: string): Promise<CachedVersion | undefined> {
    noticeOutsideChanges();
    const epochBefore = epoch;
    const known = versions.peek(code);
    if (known !== undefined) return refresh(known, epochBefore);
    const served = await store.findServed(code);
    if (served === undefined) return undefined;
    const { visibility, storage, workspaceId } = served;
    const files = toServedFiles(code, served);
    const version = { code, workspaceId, files, visibility, storage, epoch: epochBefore };
    // What has changed meanwhile may have been this version.
    if (epoch === epochBefore) versions.set(code, version);
    return version;
  }

  async function refresh(known: CachedVersion, epochBefore: number): Promise<CachedVersion | undefined> {
    const state = await store.findServedState(known.code);
    if (state?.storage !== known.storage) {
      versions.delete(known.code);
      return state && load(known.code);
    }
    const { visibility } = state;
    // A later query may have been answered sooner.
    if (known.epoch > epochBefore) return { ...known, visibility, epoch: epochBefore };
    known.visibility = visibility;
    known.epoch = epochBefore;
    return known;
  }

  return { peek, isCurrent, recall, load, looks, stop: unsubscribe };
}

export type VersionCache = ReturnType<typeof createVersionCache>;

function estimateBytes({ files }: CachedVersion): number {
  let bytes = BYTES_PER_VERSION;
  for (const path of files.keys()) bytes += BYTES_PER_FILE + path.length;
  return bytes;
}
