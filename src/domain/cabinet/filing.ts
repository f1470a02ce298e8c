import { authorizeModifyItem } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { folderLabel, parseFolderLabel, prepareFolder } from "../model/folders.ts";
import type { Clock, Random } from "../model/ports.ts";
import { findReferenced, type Reference } from "../reports/item-references.ts";
import type { ReportStore } from "../reports/ports.ts";

interface Dependencies {
  store: { reports: ReportStore };
  events: Events;
  clock: Clock;
  random: Random;
}

/** Creates the service that files one report by a legacy folder label. */
export function createFiling({ store, events, clock, random }: Dependencies) {
  async function find(caller: Caller, reference: Reference) {
    const item = authorizeModifyItem(caller, await findReferenced(store.reports, caller, reference));
    if (item === undefined) throw reportNotFound(reference);
    return item;
  }

  /** Files a report by a label; a blank label unfiles it. Returns the normalized label. Throws `NotFound`. */
  async function setFolder(caller: Caller, reference: Reference, label: string): Promise<string | null> {
    const path = parseFolderLabel(label);
    const item = await find(caller, reference);
    await store.reports.setFolder({
      item,
      folder: prepareFolder(path, random),
      now: clock.now(),
    });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
    return path && folderLabel({ title: path.folder, drawerTitle: path.drawer });
  }

  return { setFolder };
}

export type Filing = ReturnType<typeof createFiling>;
