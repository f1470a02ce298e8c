import type { BatchOutcome, TagMode } from "./cabinet-ports.ts";
import type { Events } from "./event-ports.ts";
import { notFound } from "./failure.ts";
import { type NamedItems, noSuchItem, quote, resolveItems } from "./item-batches.ts";
import type { Reference } from "./item-references.ts";
import type { Caller } from "./model.ts";
import type { Clock, Store } from "./ports.ts";

interface Parts {
  store: Pick<Store, "batches">;
  events: Events;
  clock: Clock;
}

/** Many groups and standalone reports at once: all of them, or nothing is changed. */
export function createItems({ store: { batches }, events, clock }: Parts) {
  /** Files items in a folder of their workspace, or with null nowhere. Returns how many were named. */
  async function setFolder(caller: Caller, references: readonly Reference[], folderId: string | null): Promise<number> {
    const named = await resolveItems(batches, caller, references);
    const outcome = await batches.fileItems({ batch: named.batch, folderId, now: clock.now() });
    finish(outcome, named, () => `folder_id names no folder: ${quote(folderId ?? "")}.`);
    return named.batch.itemIds.length;
  }

  /** Attaches, detaches or replaces tags. Returns how many items were named. */
  async function setTags(
    caller: Caller,
    references: readonly Reference[],
    { mode, tagIds }: { mode: TagMode; tagIds: readonly string[] },
  ): Promise<number> {
    const named = await resolveItems(batches, caller, references);
    const outcome = await batches.tagItems({ batch: named.batch, mode, tagIds: [...new Set(tagIds)] });
    finish(outcome, named, (tagId) => `${mode}[${tagIds.indexOf(tagId)}] names no tag: ${quote(tagId)}.`);
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
