import { authorizeControlItem, authorizeControlVersion } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller, Visibility } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock } from "../model/ports.ts";
import type { ReportStore } from "./ports.ts";

interface Dependencies {
  store: { reports: ReportStore };
  events: Events;
  clock: Clock;
}

/** Creates the service that changes the visibility of a named report or of one version. */
export function createVisibilities({ store, events, clock }: Dependencies) {
  /** Sets the visibility of a named report and all its versions. Throws `NotFound` or `Forbidden`. */
  async function setForReport(caller: Caller, name: string, visibility: Visibility): Promise<void> {
    const item = authorizeControlItem(caller, await store.reports.findNamedReport(name));
    if (item === undefined) throw reportNotFound({ name });
    const codes = await store.reports.setItemVisibility({ item, visibility, now: clock.now() });
    events.publish({ kind: "versionsChanged", codes });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
  }

  /** Sets the visibility of one version. Throws `NotFound` or `Forbidden`. */
  async function setForVersion(caller: Caller, code: string, visibility: Visibility): Promise<void> {
    const found = authorizeControlVersion(caller, await store.reports.findVersion(code));
    if (found === undefined) throw reportNotFound({ code });
    await store.reports.setVersionVisibility({ found, visibility, now: clock.now() });
    events.publish({ kind: "versionsChanged", codes: [code] });
    const { id: itemId, workspaceId } = found.item;
    events.publish({ kind: "itemChanged", itemId, workspaceId });
  }

  return { setForReport, setForVersion };
}

export type Visibilities = ReturnType<typeof createVisibilities>;
