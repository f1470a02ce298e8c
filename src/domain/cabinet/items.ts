import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid, notFound } from "../model/failure.ts";
import { TAG_PAIRS_PER_CALL } from "../model/limits.ts";
import type { Clock } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import { type NamedItems, noSuchItem, resolveItems } from "../reports/item-batches.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ItemFinder } from "../reports/ports.ts";
import type { BatchOutcome, CabinetStore, TagMode } from "./ports.ts";

interface Parts {
  store: { reports: ItemFinder; cabinet: CabinetStore };
  events: Events;
  clock: Clock;
}

/** Many groups and standalone reports at once: all of them, or nothing is changed. */
export function createItems({ store: { reports, cabinet }, events, clock }: Parts) {
  /** Files items in a folder of their workspace, or with null nowhere. Returns how many were named. */
  async function setFolder(caller: Caller, references: readonly Reference[], folderId: string | null): Promise<number> {
    const named = await resolveItems(reports, caller, references);
    const outcome = await cabinet.fileItems({ batch: named.batch, folderId, now: clock.now() });
    finish(
      outcome,
      named,
      () => `folder_id ${quote(folderId ?? "")} not found. Check the ID and that the folder is in the same workspace.`,
    );
    return named.batch.itemIds.length;
  }

  /** Attaches, detaches or replaces tags. Returns how many items were named. */
  async function setTags(
    caller: Caller,
    references: readonly Reference[],
    { mode, tagIds }: { mode: TagMode; tagIds: readonly string[] },
  ): Promise<number> {
    const uniqueIds = [...new Set(tagIds)];
    const named = await resolveItems(reports, caller, references);
    checkPairs(named.batch.itemIds.length, mode, uniqueIds.length);
    const outcome = await cabinet.tagItems({ batch: named.batch, mode, tagIds: uniqueIds });
    finish(
      outcome,
      named,
      (tagId) =>
        `${mode}[${tagIds.indexOf(tagId)}] ${quote(tagId)} not found. Check the ID and that the tag is in the same workspace.`,
    );
    return named.batch.itemIds.length;
  }

  /** Tells of what has changed, or throws what was missing. */
  function finish(
    outcome: BatchOutcome,
    { batch, items, references }: NamedItems,
    describeMissing: (tagId: string) => string,
  ): void {
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
        for (const itemId of outcome.changedIds) {
          events.publish({ kind: "itemChanged", itemId, workspaceId: batch.workspaceId });
        }
    }
  }

  return { setFolder, setTags };
}

export type Items = ReturnType<typeof createItems>;

/** Throws `Invalid` when one transaction would have to write too many pairs of an item and a tag. */
function checkPairs(items: number, mode: TagMode, tags: number): void {
  if (items * tags <= TAG_PAIRS_PER_CALL) return;
  throw invalid(
    `items and ${mode} combine to ${items * tags} pairs of report and tag. The limit is ${TAG_PAIRS_PER_CALL}. Send fewer items or tags.`,
  );
}
