import type { Administrator } from "../model/access.ts";
import type { Events } from "../model/events.ts";
import type { Clock } from "../model/ports.ts";
import type { ChangedReports } from "./administration-ports.ts";
import type { OperationsStore } from "./ports.ts";

/** Reports deleted or moved by one change, so that other writers needn't wait long. */
export const REPORTS_AT_ONCE = 100;

interface Dependencies {
  store: { operations: OperationsStore };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** How much was deleted or moved. */
export interface Emptied {
  reports: number;
}

/** Creates what deletes all reports of a workspace. The sweep deletes their files. */
export function createEmptying({ store, events, clock }: Dependencies) {
  async function empty(by: Administrator, workspaceId: string): Promise<Emptied> {
    for (let reports = 0; ; ) {
      const change = { by, workspaceId, limit: REPORTS_AT_ONCE, now: clock.now() };
      const deleted = await store.operations.deleteReports(change);
      if (deleted.itemIds.length === 0) return { reports };
      reports += deleted.itemIds.length;
      publishReports(events, deleted, [workspaceId]);
    }
  }

  return { empty };
}

/** Announces that reports of these workspaces were deleted or moved. */
export function publishReports(
  events: Pick<Events, "publish">,
  { itemIds, codes }: ChangedReports,
  workspaceIds: readonly string[],
): void {
  events.publish({ kind: "versionsChanged", codes });
  for (const workspaceId of workspaceIds) {
    for (const itemId of itemIds) events.publish({ kind: "itemChanged", itemId, workspaceId });
  }
}
