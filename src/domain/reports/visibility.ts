import { authorizeControlItem, authorizeControlVersion } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller, Item, Visibility } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock } from "../model/ports.ts";
import type { ReportStore } from "./ports.ts";

interface Dependencies {
  store: { reports: ReportStore };
  events: Events;
  clock: Clock;
}

/** Returns the only organization that a report is shared with; null for all. Throws if it can't be that one. */
export type ChooseOrganization = (item: Item) => string | null;

const every: ChooseOrganization = () => null;

/** Creates the service that changes the visibility of a named report or of one version. */
export function createVisibilities({ store, events, clock }: Dependencies) {
  /**
   * Sets the visibility of a named report and all its versions. Returns the chosen organization. Throws `NotFound` or
   * `Forbidden`.
   */
  async function setForReport(caller: Caller, name: string, visibility: Visibility, choose = every) {
    const item = authorizeControlItem(caller, await store.reports.findNamedReport(name, caller));
    if (item === undefined) throw reportNotFound({ name });
    const change = { item, visibility, organizationId: choose(item), now: clock.now() };
    const codes = await store.reports.setItemVisibility(change);
    events.publish({ kind: "versionsChanged", codes });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
    return change.organizationId;
  }

  /** Sets the visibility of one version. Returns the chosen organization. Throws `NotFound` or `Forbidden`. */
  async function setForVersion(caller: Caller, code: string, visibility: Visibility, choose = every) {
    const found = authorizeControlVersion(caller, await store.reports.findVersion(code, caller));
    if (found === undefined) throw reportNotFound({ code });
    const change = { found, visibility, organizationId: choose(found.item), now: clock.now() };
    await store.reports.setVersionVisibility(change);
    events.publish({ kind: "versionsChanged", codes: [code] });
    const { id: itemId, workspaceId } = found.item;
    events.publish({ kind: "itemChanged", itemId, workspaceId });
    return change.organizationId;
  }

  return { setForReport, setForVersion };
}

export type Visibilities = ReturnType<typeof createVisibilities>;
