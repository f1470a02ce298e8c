import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid, notFound } from "../model/failure.ts";
import { TAG_PAIRS_PER_CALL, TAGS_PER_CALL } from "../model/limits.ts";
import type { Clock } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import { type NamedItems, noSuchItem, resolveItems } from "../reports/item-batches.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ItemFinder } from "../reports/ports.ts";
import type { BatchOutcome, CabinetStore, TaggedItem, TagMode } from "./ports.ts";

interface Dependencies {
  store: { reports: ItemFinder; cabinet: CabinetStore };
  events: Events;
  clock: Clock;
}

/** The change that files reports where they were. */
export interface FilingUndo {
  references: Reference[];
  folderId: string | null;
}

/** A change that restores the tags of reports which gained or lost the same. */
export interface TaggingUndo {
  references: Reference[];
  mode: "add" | "remove";
  tagIds: string[];
}

/** Creates the service that files and tags many reports at once. Each call changes all of them or none. */
export function createItems({ store: { reports, cabinet }, events, clock }: Dependencies) {
  /** Files reports in a folder of their workspace; null unfiles them. Returns the number of reports, and what undoes it. */
  async function setFolder(
    caller: Caller,
    references: readonly Reference[],
    folderId: string | null,
  ): Promise<{ updated: number; undo: FilingUndo[] }> {
    const named = await resolveItems(reports, caller, references);
    const outcome = await cabinet.fileItems({ batch: named.batch, folderId, now: clock.now() });
    const changed = finish(
      outcome,
      named,
      () => `folder_id ${quote(folderId ?? "")} not found. Check the ID and that the folder is in the same workspace.`,
    );
    const undo = [...Map.groupBy(changed, ({ from }) => from)].map(([from, filed]) => ({
      references: referencesOf(filed),
      folderId: from,
    }));
    return { updated: named.batch.itemIds.length, undo };
  }

  /** Attaches, detaches or replaces tags. Returns the number of reports, and what undoes it. */
  async function setTags(
    caller: Caller,
    references: readonly Reference[],
    { mode, tagIds }: { mode: TagMode; tagIds: readonly string[] },
  ): Promise<{ updated: number; undo: TaggingUndo[] }> {
    const uniqueIds = [...new Set(tagIds)];
    const named = await resolveItems(reports, caller, references);
    checkPairs(named.batch.itemIds.length, mode, uniqueIds.length);
    const outcome = await cabinet.tagItems({ batch: named.batch, mode, tagIds: uniqueIds });
    const changed = finish(
      outcome,
      named,
      (tagId) =>
        `${mode}[${tagIds.indexOf(tagId)}] ${quote(tagId)} not found. Check the ID and that the tag is in the same workspace.`,
    );
    const undo = [
      ...undoTagging(changed, "remove", ({ attached }) => attached),
      ...undoTagging(changed, "add", ({ detached }) => detached),
    ];
    return { updated: named.batch.itemIds.length, undo };
  }

  /** Publishes and returns what changed. Throws `NotFound` if something was missing. */
  function finish<Changed extends { itemId: number }>(
    outcome: BatchOutcome<Changed>,
    named: NamedItems,
    describeMissing: (tagId: string) => string,
  ): Referenced<Changed>[] {
    const { batch, items, references } = named;
    switch (outcome.kind) {
      case "noItem": {
        const position = items.findIndex(({ id }) => id === outcome.itemId);
        throw noSuchItem(references, position);
      }
      case "noTag":
        throw notFound(describeMissing(outcome.tagId));
      case "noFolder":
        throw notFound(describeMissing(""));
      case "done":
        for (const { itemId } of outcome.changed) {
          events.publish({ kind: "itemChanged", itemId, workspaceId: batch.workspaceId });
        }
        return inOrder(named, outcome.changed);
    }
  }

  return { setFolder, setTags };
}

export type Items = ReturnType<typeof createItems>;

/** What changed on a report, and how the request names it first. */
type Referenced<Changed> = Changed & { reference: Reference };

/** Returns what changed in the order in which the request names the reports, since engines return rows in any. */
function inOrder<Changed extends { itemId: number }>(
  { items, references }: NamedItems,
  changed: readonly Changed[],
): Referenced<Changed>[] {
  const rest = new Map(changed.map((change) => [change.itemId, change] as const));
  return items.flatMap(({ id }, position) => {
    const [change, reference] = [rest.get(id), references[position]];
    rest.delete(id);
    return change === undefined || reference === undefined ? [] : { ...change, reference };
  });
}

const referencesOf = (changed: readonly Referenced<object>[]): Reference[] => changed.map(({ reference }) => reference);

/**
 * Returns the changes that take away from reports, or give back, what they gained or lost, each within the limits of a
 * call. Tags are in the order of their IDs, whichever engine named them.
 */
function undoTagging(
  changed: readonly Referenced<TaggedItem>[],
  mode: TaggingUndo["mode"],
  tagsOf: (item: TaggedItem) => readonly string[],
): TaggingUndo[] {
  const alike = Map.groupBy(changed, (item) => tagsOf(item).toSorted().join(" "));
  return [...alike.values()].flatMap((tagged) => {
    const references = referencesOf(tagged);
    const tags = tagged[0] === undefined ? [] : tagsOf(tagged[0]).toSorted();
    return inSlices(tags, TAGS_PER_CALL).flatMap((tagIds) =>
      inSlices(references, Math.floor(TAG_PAIRS_PER_CALL / tagIds.length)).map((few) => ({
        references: few,
        mode,
        tagIds,
      })),
    );
  });
}

const inSlices = <Thing>(things: readonly Thing[], length: number): Thing[][] =>
  Array.from({ length: Math.ceil(things.length / length) }, (_, slice) =>
    things.slice(slice * length, (slice + 1) * length),
  );

/** Throws `Invalid` if one transaction would have to write too many pairs of report and tag. */
function checkPairs(items: number, mode: TagMode, tags: number): void {
  if (items * tags <= TAG_PAIRS_PER_CALL) return;
  throw invalid(
    `items and ${mode} combine to ${items * tags} pairs of report and tag. The limit is ${TAG_PAIRS_PER_CALL}. Send fewer items or tags.`,
  );
}
