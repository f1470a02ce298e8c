import {
  authorizeControlItem,
  authorizeControlItems,
  authorizeControlVersion,
  authorizeWorkspace,
  mayControlItem,
} from "../model/access.ts";
import { reportNotFound, workspaceNotFound } from "../model/common-failures.ts";
import type { Caller, Instant } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden } from "../model/failure.ts";
import { CODE_PATTERN } from "../model/names.ts";
import type { Plan } from "../model/plans.ts";
import type { Clock } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { Clearing } from "../operations/clearing.ts";
import { type NamedItems, noSuchItem, resolveItems } from "../reports/item-batches.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ReportStore } from "../reports/ports.ts";
import { type BinDependencies, createBin } from "./bins.ts";
import { publishChanges } from "./changes.ts";
import { protectedFailure } from "./failures.ts";
import type { Disposal, DisposedItems, TrashStore } from "./ports.ts";

interface Dependencies extends BinDependencies {
  store: { reports: ReportStore; trash: TrashStore };
  operations: { clearing: Pick<Clearing, "clearSoon"> };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** How to undo a deletion. */
export interface Undo {
  id: string;
  expiresAt: Instant;
}

/** Creates the service that deletes reports and versions, which moves them to the trash. */
export function createDeleting(dependencies: Dependencies) {
  const {
    store: { reports, trash },
    operations,
    events,
    clock,
  } = dependencies;

  /** Deletes a report with all its versions. Returns how many there were. Throws `NotFound`, `Forbidden` or `Conflict`. */
  async function deleteReport(caller: Caller, name: string): Promise<number> {
    const item = authorizeControlItem(caller, await reports.findNamedReport(name, caller));
    if (item === undefined) throw reportNotFound({ name });
    const outcome = await trash.deleteItem({ item, ...disposal(caller, item.workspaceId, 1) });
    if ("protected" in outcome) throw protectedFailure(outcome.protected);
    return finish(item.workspaceId, outcome).codes.length;
  }

  /**
   * Deletes a version. Returns false if the caller can't access it. Throws `Forbidden` if they may only read it, or
   * `Conflict` if it is protected.
   */
  async function deleteVersion(caller: Caller, code: string): Promise<boolean> {
    if (!CODE_PATTERN.test(code)) return false;
    const found = authorizeControlVersion(caller, await reports.findVersion(code, caller));
    if (found === undefined) return false;
    const { workspaceId } = found.item;
    const outcome = await trash.deleteVersion({ found, ...disposal(caller, workspaceId, 1) });
    if (outcome === undefined) return false;
    if ("protected" in outcome) throw protectedFailure(outcome.protected);
    finish(workspaceId, outcome);
    return true;
  }

  /**
   * Deletes all named reports or none. Returns how many, and how to undo it, or null without a trash. Throws `NotFound`,
   * `Invalid`, `Forbidden` or `Conflict` for the first reference that can't be deleted.
   */
  async function deleteReports(
    caller: Caller,
    references: readonly Reference[],
  ): Promise<{ deleted: number; undo: Undo | null }> {
    const named = await resolveItems(reports, caller, references);
    const batch = authorizeControlItems(caller, named.items);
    if (batch === undefined) throw notTheirs(caller, named);
    const { bin, ...rest } = disposal(caller, batch.workspaceId, batch.itemIds.length);
    const outcome = await trash.deleteItems({ batch, bin, ...rest });
    const positionOf = (itemId: number) => named.items.findIndex(({ id }) => id === itemId);
    if ("missing" in outcome) throw noSuchItem(references, positionOf(outcome.missing));
    if ("protected" in outcome) {
      throw protectedFailure(outcome.protected, `items[${positionOf(outcome.protected.itemId)}]`);
    }
    finish(batch.workspaceId, outcome);
    const undo = bin === undefined ? null : { id: bin.batchId, expiresAt: bin.expiresAt };
    return { deleted: outcome.itemIds.length, undo };
  }

  /** Deletes the caller's sample reports. Returns how many, and how to undo it. Throws `NotFound` or `Conflict`. */
  async function deleteSamples(caller: Caller, owner: string): Promise<{ deleted: number; undo: Undo | null }> {
    const workspace = authorizeWorkspace(caller, owner);
    if (workspace === undefined) throw workspaceNotFound(owner, caller);
    const samples = await reports.listSamples({ workspaceId: workspace.id, userId: caller.userId });
    if (samples.length === 0) return { deleted: 0, undo: null };
    return deleteReports(
      caller,
      samples.map(({ code }) => ({ code })),
    );
  }

  function disposal(caller: Caller, workspaceId: string, count: number): Disposal {
    const now = clock.now();
    return {
      bin: createBin(dependencies, { plan: planOf(caller, workspaceId), count, now }),
      userId: caller.userId,
      now,
    };
  }

  function finish(workspaceId: string, outcome: DisposedItems): DisposedItems {
    publishChanges(events, workspaceId, outcome);
    operations.clearing.clearSoon(outcome.purged);
    return outcome;
  }

  return { deleteReport, deleteVersion, deleteReports, deleteSamples };
}

export type Deleting = ReturnType<typeof createDeleting>;

/** Returns the plan of a workspace of the caller's, who may control something in it. */
const planOf = ({ memberships }: Caller, workspaceId: string): Plan =>
  memberships.find(({ id }) => id === workspaceId)?.plan ?? "free";

function notTheirs(caller: Caller, { items, references }: NamedItems) {
  const position = items.findIndex((item) => !mayControlItem(caller, item));
  const reference = references[position];
  const named = reference === undefined ? "" : quote("name" in reference ? reference.name : reference.code);
  return forbidden(
    `You can't delete items[${position}] ${named}. Ask the person who published it, or an owner or admin of the workspace.`,
  );
}
