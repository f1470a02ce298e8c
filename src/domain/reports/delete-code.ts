import { authorizeControlVersion } from "../model/access.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { CODE_PATTERN } from "../model/names.ts";
import type { Clock } from "../model/ports.ts";
import type { Clearing } from "../operations/clearing.ts";
import type { ReportStore } from "./ports.ts";

interface Dependencies {
  store: { reports: ReportStore };
  operations: { clearing: Pick<Clearing, "clearSoon"> };
  events: Events;
  clock: Clock;
}

/** Creates the service that deletes single versions. */
export function createReports({ store, operations, events, clock }: Dependencies) {
  /** Deletes a version. Returns false if the caller can't access it. Throws `Forbidden` if they may only read it. */
  async function remove(caller: Caller, code: string): Promise<boolean> {
    if (!CODE_PATTERN.test(code)) return false;
    const found = authorizeControlVersion(caller, await store.reports.findVersion(code, caller));
    if (found === undefined) return false;
    const deleted = await store.reports.deleteVersion({ found, now: clock.now() });
    events.publish({ kind: "versionsChanged", codes: [code] });
    const { id: itemId, workspaceId } = found.item;
    events.publish({ kind: "itemChanged", itemId, workspaceId });
    if (deleted) operations.clearing.clearSoon([code]);
    return deleted;
  }

  return { remove };
}

export type Reports = ReturnType<typeof createReports>;
