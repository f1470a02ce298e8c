import {
  type Authorized,
  authorizeTrash,
  authorizeTrashed,
  authorizeUndo,
  governs,
  type TrashedItem,
} from "../model/access.ts";
import { undoNotFound, workspaceNotFound } from "../model/common-failures.ts";
import type { Cursors } from "../model/cursors.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid, notFound } from "../model/failure.ts";
import type { Quotas } from "../model/plans.ts";
import type { Clock } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { Clearing } from "../operations/clearing.ts";
import { publishChanges } from "./changes.ts";
import type { Restored, TrashEntry, TrashPlace, TrashStore } from "./ports.ts";

interface Dependencies {
  store: { trash: TrashStore };
  operations: { clearing: Pick<Clearing, "clearSoon"> };
  events: Pick<Events, "publish">;
  clock: Clock;
  quotas: Quotas;
  trashDays: number;
  createCursors<Place>(): Cursors<Place>;
}

/** Selects a page of the trash. */
export interface RequestedTrash {
  owner: string;
  /** Only what was deleted with this name. */
  name?: string | undefined;
  /** Only what contains the version with this code. */
  code?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

export interface TrashPage {
  entries: readonly TrashEntry[];
  nextCursor: string | null;
  /** Days that the trash keeps what is deleted now; 0 means that deletions are permanent. */
  days: number;
  /** Bytes in the workspace's trash; null for members who see only a part of it. */
  storedBytes: number | null;
  /** Bytes that the trash may hold. */
  allowance: number;
}

/** Entries that one transaction purges, so that other writers needn't wait long. */
const PURGED_AT_ONCE = 200;

/** Creates the service for what people have deleted. */
export function createTrash(dependencies: Dependencies) {
  const { operations, events, clock, quotas, trashDays } = dependencies;
  const { trash } = dependencies.store;
  const cursors = dependencies.createCursors<TrashPlace>();

  /** Returns a page of what the caller can restore, last deleted first. Throws `NotFound` or `Invalid`. */
  async function page(caller: Caller, { owner, name, code, cursor, limit }: RequestedTrash): Promise<TrashPage> {
    const { workspace, view } = authorize(caller, owner);
    const question = JSON.stringify(["trash", workspace.id, caller.userId, name, code]);
    const after = cursor === undefined ? undefined : cursors.decode(question, cursor);
    const found = await trash.listTrash({ view, name, code, after, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const last = found.length > limit ? entries.at(-1) : undefined;
    return {
      entries,
      nextCursor: last === undefined ? null : cursors.encode(question, { deletedAt: last.deletedAt, id: last.id }),
      days: trashDays,
      storedBytes: governs(workspace) ? await trash.measureTrash(workspace.id) : null,
      allowance: quotas[workspace.plan],
    };
  }

  function authorize(caller: Caller, owner: string) {
    const authorized = authorizeTrash(caller, owner);
    if (authorized === undefined) throw workspaceNotFound(owner, caller);
    return authorized;
  }

  /**
   * Restores all that one call deleted. Returns how many reports. Throws `NotFound` if it has expired or the caller may
   * not undo it, `Conflict` if a name was taken meanwhile, and `QuotaFull`.
   */
  async function undo(caller: Caller, id: string): Promise<number> {
    const allowed = authorizeUndo(caller, await trash.findDeletion(id));
    if (allowed === undefined) throw undoNotFound(id);
    const { deletion, workspace } = allowed;
    const change = { undo: deletion, newName: undefined, quota: quotas[workspace.plan], now: clock.now() };
    const restored = await trash.restoreTrash(change);
    publishChanges(events, workspace.id, restored);
    return restored.itemIds.length;
  }

  /**
   * Restores entries, a single report under a new name if there is one. Throws `NotFound`, `Invalid`, `Conflict` with a
   * free name if a name was taken meanwhile, and `QuotaFull`.
   */
  async function restore(caller: Caller, ids: readonly string[], newName: string | undefined): Promise<Restored[]> {
    const entries = await resolve(caller, ids);
    const workspaceId = entries[0]?.workspaceId ?? "";
    const plan = caller.memberships.find(({ id }) => id === workspaceId)?.plan ?? "free";
    if (newName !== undefined && entries.length !== 1) {
      throw invalid("name can be set for one report only. Restore the reports one at a time.");
    }
    const restored = await trash.restoreTrash({ entries, newName, quota: quotas[plan], now: clock.now() });
    publishChanges(events, workspaceId, restored);
    return restored.restored;
  }

  /** Deletes entries permanently. Returns how many. Throws `NotFound` or `Invalid`. */
  async function purge(caller: Caller, ids: readonly string[]): Promise<number> {
    const entries = await resolve(caller, ids);
    const purged = await trash.purgeTrash({ entries });
    clear(entries[0]?.workspaceId ?? "", purged);
    return purged.entries;
  }

  /** Deletes permanently all that the caller can restore. Returns how many entries. Throws `NotFound`. */
  async function empty(caller: Caller, owner: string): Promise<number> {
    const { workspace, view } = authorize(caller, owner);
    // What is deleted from now on stays.
    const until = clock.now();
    for (let count = 0; ; ) {
      const purged = await trash.emptyTrash({ view, until, limit: PURGED_AT_ONCE });
      if (purged.entries === 0) return count;
      count += purged.entries;
      clear(workspace.id, purged);
    }
  }

  function clear(workspaceId: string, { itemIds, codes }: { itemIds: number[]; codes: string[] }): void {
    operations.clearing.clearSoon(codes);
    for (const itemId of itemIds) events.publish({ kind: "itemChanged", itemId, workspaceId });
  }

  /** Returns the entries with these IDs. Throws `NotFound` for the first one that the caller can't control. */
  async function resolve(caller: Caller, requested: readonly string[]): Promise<Authorized<"control", TrashedItem>[]> {
    const ids = [...new Set(requested)];
    const found = new Map((await trash.findTrashed(ids)).map((entry) => [entry.id, entry]));
    const entries = ids.map((id) => {
      const entry = authorizeTrashed(caller, found.get(id));
      if (entry === undefined) {
        throw notFound(
          `ids[${requested.indexOf(id)}] ${quote(id)} not found. It may have been restored or purged already.`,
        );
      }
      return entry;
    });
    const stray = entries.find(({ workspaceId }) => workspaceId !== entries[0]?.workspaceId);
    if (stray !== undefined) {
      throw invalid(
        `ids[${requested.indexOf(stray.id)}] is in a different workspace than ids[0]. Send one request per workspace.`,
      );
    }
    return entries;
  }

  return { page, undo, restore, purge, empty };
}

export type Trash = ReturnType<typeof createTrash>;
