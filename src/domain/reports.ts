import { authorizeControlVersion } from "./access.ts";
import type { Events } from "./event-ports.ts";
import type { Caller } from "./model.ts";
import { CODE_PATTERN } from "./names.ts";
import { clearAway } from "./objects.ts";
import type { Blobs, Clock, OperatorLog, Store } from "./ports.ts";

interface Parts {
  store: Pick<Store, "items" | "sweep">;
  blobs: Blobs;
  events: Events;
  clock: Clock;
  log: Pick<OperatorLog, "warn">;
}

/** Single reports: standalone ones, or one version of a group. */
export function createReports({ store, blobs, events, clock, log }: Parts) {
  /** Whether there was such a report for this caller. Throws `Forbidden` when they may only read it. */
  async function remove(caller: Caller, code: string): Promise<boolean> {
    if (!CODE_PATTERN.test(code)) return false;
    const found = authorizeControlVersion(caller, await store.items.findVersion(code));
    if (found === undefined) return false;
    const deleted = await store.items.deleteVersion({ found, now: clock.now() });
    events.publish({ kind: "versionsChanged", codes: [code] });
    const { id: itemId, workspaceId } = found.item;
    events.publish({ kind: "itemChanged", itemId, workspaceId });
    if (deleted) await clearAway({ store, blobs, log }, [code], clock.now());
    return deleted;
  }

  return { remove };
}

export type Reports = ReturnType<typeof createReports>;
