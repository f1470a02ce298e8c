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

interface Dependencies {
  store: { reports: ItemFinder; cabinet: CabinetStore };
  events: Events;
  clock: Clock;
}

/** Creates the service that files and tags many reports at once. Each call changes all of them or none. */
export function createItems({ store: { reports, cabinet }, events, clock }: Dependencies) {
  /** Files reports in a folder of their workspace; null unfiles them. Returns the number of reports. */
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

  /** Attaches, detaches or replaces tags. Returns the number of reports. */
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

  /** Publishes what changed. Throws `NotFound` if something was missing. */
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

/** Throws `Invalid` if one transaction would have to write too many pairs of report and tag. */
function checkPairs(items: number, mode: TagMode, tags: number): void {
  if (items * tags <= TAG_PAIRS_PER_CALL) return;
  throw invalid(
    `items and ${mode} combine to ${items * tags} pairs of report and tag. The limit is ${TAG_PAIRS_PER_CALL}. Send fewer items or tags.`,
  );
}
