import { LRUCache } from "lru-cache";
import type { Visibility } from "../../domain/model/entities.ts";
import type { Events } from "../../domain/model/events.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { StoreFacts } from "../../domain/model/store.ts";
import type { ServeStore } from "../../domain/reports/ports.ts";
import { type ServedFile, toServedFiles, withStandIns } from "./forms.ts";

/** Bytes of all versions in memory, by an estimate: some have one file, others a hundred with long names. */
const CACHE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_VERSION = 400;
const BYTES_PER_FILE = 800;
/** How long a change by a process from which nothing is heard may go unnoticed, in milliseconds. */
const OUTSIDE_CHANGE_INTERVAL = 100;

/** A version in memory: files never change, visibility is good as long as `epoch` is the cache's. */
export interface CachedVersion {
  code: string;
  files: ReadonlyMap<string, ServedFile>;
  visibility: Visibility;
  epoch: number;
}

interface Parts {
  store: ServeStore & Pick<StoreFacts, "changeMark">;
  events: Events;
  clock: Clock;
}

/** Versions by code, kept in memory as long as it is certain that nothing about them has changed. */
export function createVersionCache({ store, events, clock }: Parts) {
  const versions = new LRUCache<string, CachedVersion>({ maxSize: CACHE_BYTES, sizeCalculation: estimateBytes });
  let epoch = 0;
  let mark = store.changeMark();
  let markedAt = 0;

  const unsubscribe = events.subscribe((event) => {
    if (event.kind === "versionsChanged") {
      // Also whatever is being loaded right now must not be taken for fresh.
      epoch++;
      for (const code of event.codes) versions.delete(code);
    } else if (event.kind === "missed") {
      epoch++;
    } else if (event.kind === "compressed") {
      const version = versions.peek(event.code);
      for (const file of withStandIns(version?.files.values() ?? [])) file.compressed = undefined;
    }
  });

  function noticeOutsideChanges(): void {
    const now = clock.now();
    // The clock on the wall may be set back at any time.
    const isFresh = Math.abs(now - markedAt) < OUTSIDE_CHANGE_INTERVAL;
    if (mark !== undefined && isFresh && events.isHearing()) return;
    markedAt = now;
    const newMark = store.changeMark();
    if (newMark === undefined || newMark !== mark) epoch++;
    mark = newMark;
  }

  /** The version if it is in memory and certainly unchanged. */
  function peek(code: string): CachedVersion | undefined {
    const version = versions.get(code);
    return version !== undefined && isCurrent(version) ? version : undefined;
  }

  /** Whether what is known of a version is certainly still so. */
  function isCurrent(version: CachedVersion): boolean {
    noticeOutsideChanges();
    return version.epoch === epoch;
  }

  /** The version if it is in memory, for whoever knows already that it may be read; its visibility may be an old one. */
  const recall = (code: string): CachedVersion | undefined => versions.get(code);

  /** The version as the database has it now, or undefined when there is none. */
  async function load(code: string): Promise<CachedVersion | undefined> {
    noticeOutsideChanges();
    const epochBefore = epoch;
    const known = versions.peek(code);
    if (known !== undefined) return refresh(known, epochBefore);
    const served = await store.findServed(code);
    if (served === undefined) return undefined;
    const version = { code, files: toServedFiles(code, served), visibility: served.visibility, epoch: epochBefore };
    versions.set(code, version);
    return version;
  }

  async function refresh(known: CachedVersion, epochBefore: number): Promise<CachedVersion | undefined> {
    const visibility = await store.findVisibility(known.code);
    if (visibility === undefined) {
      versions.delete(known.code);
      return undefined;
    }
    // Whoever asked later may have been answered sooner.
    if (known.epoch > epochBefore) return { ...known, visibility, epoch: epochBefore };
    known.visibility = visibility;
    known.epoch = epochBefore;
    return known;
  }

  return { peek, isCurrent, recall, load, stop: unsubscribe };
}

function estimateBytes({ files }: CachedVersion): number {
  let bytes = BYTES_PER_VERSION;
  for (const path of files.keys()) bytes += BYTES_PER_FILE + path.length;
  return bytes;
}
