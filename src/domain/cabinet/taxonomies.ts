import { governs } from "../model/access.ts";
import type { Reader } from "../model/entities.ts";
import type { Taxonomy, TaxonomyStore } from "./ports.ts";

/** Drawers, folders and tags in all remembered taxonomies together, a few hundred bytes each. */
const MOST_ENTRIES = 50_000;

interface Remembered {
  /** The number of changes that the taxonomy includes. */
  changes: number;
  taxonomy: Promise<Taxonomy>;
  /** 0 until it is read. */
  entries: number;
}

/**
 * Creates the reader of taxonomies. It remembers those that were read last, and returns one again as long as the database
 * has counted no change since, so that many readers of one change share a read.
 */
export function createTaxonomies(store: TaxonomyStore) {
  /** Those used last come last. */
  const remembered = new Map<string, Remembered>();

  async function read(workspaceId: string, reader: Reader): Promise<Taxonomy> {
    // Counted before the taxonomy is looked up, so that an answer includes everything that came before its request.
    const changes = await store.countCabinetChanges(workspaceId);
    // Owners and admins read the same.
    const key = JSON.stringify([workspaceId, governs(reader) ? null : reader.userId]);
    const known = remembered.get(key);
    remembered.delete(key);
    const current = known?.changes === changes ? known : begin(key, changes, { workspaceId, reader });
    remembered.set(key, current);
    return current.taxonomy;
  }

  function begin(key: string, changes: number, scope: { workspaceId: string; reader: Reader }): Remembered {
    const reading = store.readTaxonomy(scope);
    const taxonomy = reading.then(({ changes: _, ...found }) => found);
    const begun: Remembered = { changes, taxonomy, entries: 0 };
    reading.then(
      ({ changes: included, drawers, folders, tags }) => {
        begun.changes = included;
        begun.entries = 1 + drawers.length + folders.length + tags.length;
        forgetOldest();
      },
      () => {
        if (remembered.get(key) === begun) remembered.delete(key);
      },
    );
    return begun;
  }

  function forgetOldest(): void {
    let entries = 0;
    for (const one of remembered.values()) entries += one.entries;
    for (const [key, one] of remembered) {
      if (entries <= MOST_ENTRIES) return;
      entries -= one.entries;
      remembered.delete(key);
    }
  }

  return { read };
}
