import { authorizeControlItems, authorizeUndo, mayControlItem } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { undoNotFound } from "../model/common-failures.ts";
import type { Caller, Instant } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden } from "../model/failure.ts";
import type { Quotas } from "../model/plans.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import { type NamedItems, noSuchItem, resolveItems } from "./item-batches.ts";
import type { Reference } from "./item-references.ts";
import type { DeletedItems, ReportStore } from "./ports.ts";

/** Milliseconds in which a deletion can be undone. */
const UNDO_WINDOW = 10 * 60_000;

interface Parts {
  store: { reports: ReportStore };
  events: Events;
  clock: Clock;
  random: Random;
  quotas: Quotas;
}

/** Deleting many groups and standalone reports at once, and undoing it. */
export function createDeletions({ store: { reports }, events, clock, random, quotas }: Parts) {
  /**
   * Deletes all items that are named, or none, and says how many they were and by what the deletion can be undone.
   * Throws `NotFound`, `Invalid` or `Forbidden` about the first reference that is wrong.
   */
  async function remove(
    caller: Caller,
    references: readonly Reference[],
  ): Promise<{ deleted: number; undo: { id: string; expiresAt: Instant } }> {
    const named = await resolveItems(reports, caller, references);
    const batch = authorizeControlItems(caller, named.items);
    if (batch === undefined) throw notTheirs(caller, named);
    const now = clock.now();
    const undo = { id: newId(random, "del"), expiresAt: now + UNDO_WINDOW };
    const outcome = await reports.deleteItems({ batch, ...undo, now });
    if ("missing" in outcome) {
      throw noSuchItem(
        references,
        named.items.findIndex(({ id }) => id === outcome.missing),
      );
    }
    tell(batch.workspaceId, outcome);
    return { deleted: outcome.itemIds.length, undo };
  }

  /**
   * Restores everything that one call has deleted, and returns how many items they were. Throws `NotFound` when it is
   * not the caller's to undo or too late, `Conflict` when a name is taken again, and `QuotaFull`.
   */
  async function restore(caller: Caller, id: string): Promise<number> {
    const allowed = authorizeUndo(caller, await reports.findDeletion(id));
    if (allowed === undefined) throw undoNotFound(id);
    const { deletion, workspace } = allowed;
    const restored = await reports.restoreItems({ deletion, quota: quotas[workspace.plan], now: clock.now() });
    tell(workspace.id, restored);
    return restored.itemIds.length;
  }

  function tell(workspaceId: string, { itemIds, codes }: DeletedItems): void {
    events.publish({ kind: "versionsChanged", codes });
    for (const itemId of itemIds) events.publish({ kind: "itemChanged", itemId, workspaceId });
  }

  return { remove, restore };
}

export type Deletions = ReturnType<typeof createDeletions>;

function notTheirs(caller: Caller, { items, references }: NamedItems) {
  const position = items.findIndex((item) => !mayControlItem(caller, item));
  const reference = references[position];
  const named = reference === undefined ? "" : quote("name" in reference ? reference.name : reference.code);
  return forbidden(
    `You can't delete items[${position}] ${named}. Ask the person who published it, or an owner or admin of the workspace.`,
  );
}
