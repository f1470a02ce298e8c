import { INDEX_FILE } from "../../../domain/model/names.ts";
import type { Reading } from "../../../domain/reports/reading.ts";
import { LARGEST_COMPARED_PAGE } from "../../../domain/reviews/changes.ts";
import type { PageComparison } from "../../../html/changes/compare-pages.ts";
import type { ComparePages } from "./compare-thread.ts";

/** Comparisons that are kept. */
const MAX_KEPT = 32;
/** Changes that are kept of each, which bounds the memory. */
const MAX_CHANGES = 300;

interface Dependencies {
  reading: Pick<Reading, "readPage">;
  comparePages: ComparePages;
}

/** Two versions of a report, and what takes turns with other reports. */
export interface ComparedVersions {
  from: string;
  to: string;
  /** Waits for its turn among others. */
  user: string;
}

export interface VersionChanges extends PageComparison {
  /** The paths of files that differ, if scripts draw parts of either page. */
  changedFiles: readonly string[] | undefined;
}

/** Compares the first pages of two versions. Versions never change, so all who ask for the same two share one comparison. */
export function createVersionChanges({ reading, comparePages }: Dependencies) {
  const kept = new Map<string, Promise<VersionChanges | undefined>>();

  /** Returns what changed; undefined if a version has no such page or a large one. */
  function find({ from, to, user }: ComparedVersions): Promise<VersionChanges | undefined> {
    const key = `${from} ${to}`;
    const known = kept.get(key);
    kept.delete(key);
    const comparison = known ?? compare({ from, to, user });
    kept.set(key, comparison);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    // The next one who asks may be luckier.
    comparison.catch(() => kept.get(key) === comparison && kept.delete(key));
    return comparison;
  }

  async function compare({ from, to, user }: ComparedVersions): Promise<VersionChanges | undefined> {
    const [before, after] = await Promise.all(
      [from, to].map((code) => reading.readPage(code, INDEX_FILE, LARGEST_COMPARED_PAGE)),
    );
    if (before === undefined || after === undefined) return undefined;
    const { changes, anchors, isCut, ...rest } = await comparePages(user, { before, after });
    return {
      ...rest,
      changes: changes.slice(0, MAX_CHANGES),
      anchors: anchors.slice(0, MAX_CHANGES),
      changedFiles: rest.isDrawnByScripts ? changedPaths(before.digests, after.digests) : undefined,
      isCut: isCut || changes.length > MAX_CHANGES,
    };
  }

  return find;
}

export type Digests = Readonly<Record<string, string>>;

/** Returns the paths of files that differ. */
export const changedPaths = (before: Digests, after: Digests): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path]);

export type FindVersionChanges = ReturnType<typeof createVersionChanges>;
