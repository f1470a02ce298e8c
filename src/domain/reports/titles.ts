import { authorizeModifyItem } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock } from "../model/ports.ts";
import { titleOf } from "../model/titles.ts";
import { findReferenced, type Reference } from "./item-references.ts";
import type { ReportStore } from "./ports.ts";

interface Dependencies {
  store: { reports: ReportStore };
  events: Events;
  clock: Clock;
}

/** Creates the service that sets the display titles of reports. */
export function createTitles({ store: { reports }, events, clock }: Dependencies) {
  /**
   * Sets the title that a report is shown with; null for that of its current version. Returns the title that is now shown.
   * Throws `NotFound`.
   */
  async function set(caller: Caller, reference: Reference, title: string | null): Promise<string> {
    const found = await findReferenced(reports, caller, reference);
    const item = authorizeModifyItem(caller, found);
    if (found === undefined || item === undefined) throw reportNotFound(reference);
    await reports.setTitle({ item, title, now: clock.now() });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
    return titleOf({ item: { displayTitle: title }, version: found.version });
  }

  return { set };
}

export type Titles = ReturnType<typeof createTitles>;
