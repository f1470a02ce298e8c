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

/** Milliseconds during which a deletion can be undone. */
const UNDO_WINDOW = 10 * 60_000;

interface Dependencies {
  store: { reports: ReportStore };
  events: Events;
  clock: Clock;
  random: Random;
  quotas: Quotas;
}

/** Creates the service that deletes many reports at once and restores them. */
export function createDeletions({ store: { reports }, events, clock, random, quotas }: Dependencies) {
  /**
   * Deletes all named reports or none. Returns how many, and the ID with which `restore` undoes it. Throws `NotFound`,
   * `Invalid` or `Forbidden` for the first reference that can't be deleted.
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
    publishChanges(batch.workspaceId, outcome);
    return { deleted: outcome.itemIds.length, undo };
  }

  /**
   * Restores all reports of one deletion. Returns how many. Throws `NotFound` if the deletion has expired or the caller
   * may not undo it, `Conflict` if a name was taken meanwhile, and `QuotaFull`.
   */
  async function restore(caller: Caller, id: string): Promise<number> {
    const allowed = authorizeUndo(caller, await reports.findDeletion(id));
    if (allowed === undefined) throw undoNotFound(id);
    const { deletion, workspace } = allowed;
    const restored = await reports.restoreItems({ deletion, quota: quotas[workspace.plan], now: clock.now() });
    publishChanges(workspace.id, restored);
    return restored.itemIds.length;
  }

  function publishChanges(workspaceId: string, { itemIds, codes }: DeletedItems): void {
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
