import { authorizeControlItem, authorizeControlVersion } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock } from "../model/ports.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ReportStore } from "../reports/ports.ts";
import type { TrashStore } from "./ports.ts";

interface Dependencies {
  store: { reports: Pick<ReportStore, "findNamedReport" | "findVersion">; trash: TrashStore };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Creates the service that protects reports and versions from being deleted. */
export function createProtection({ store: { reports, trash }, events, clock }: Dependencies) {
  /** Protects a report by its name, or a version by its code, or ends the protection. Throws `NotFound` or `Forbidden`. */
  async function set(caller: Caller, reference: Reference, isProtected: boolean): Promise<void> {
    const { id: itemId, workspaceId } = await ("name" in reference
      ? setForReport(caller, reference, isProtected)
      : setForVersion(caller, reference, isProtected));
    events.publish({ kind: "itemChanged", itemId, workspaceId });
  }

  async function setForReport(caller: Caller, reference: { name: string }, isProtected: boolean) {
    const item = authorizeControlItem(caller, await reports.findNamedReport(reference.name));
    if (item === undefined) throw reportNotFound(reference);
    await trash.protectItem({ item, isProtected, now: clock.now() });
    return item;
  }

  async function setForVersion(caller: Caller, reference: { code: string }, isProtected: boolean) {
    const found = authorizeControlVersion(caller, await reports.findVersion(reference.code));
    if (found === undefined) throw reportNotFound(reference);
    await trash.protectVersion({ found, isProtected, now: clock.now() });
    return found.item;
  }

  return { set };
}

export type Protection = ReturnType<typeof createProtection>;
