import { authorizeModifyItem } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { folderLabel, parseFolderLabel, wantFolder } from "../model/folders.ts";
import type { Clock, Random } from "../model/ports.ts";
import { findReferenced, type Reference } from "../reports/item-references.ts";
import type { ReportStore } from "../reports/ports.ts";

interface Parts {
  store: { reports: ReportStore };
  events: Events;
  clock: Clock;
  random: Random;
}

/** Filing: the place of groups and standalone reports in the cabinet. */
export function createFiling({ store, events, clock, random }: Parts) {
  async function find(caller: Caller, reference: Reference) {
    const item = authorizeModifyItem(caller, await findReferenced(store.reports, caller, reference));
    if (item === undefined) throw reportNotFound(reference);
    return item;
  }

  /** Files by a legacy label and returns the label as it reads back; a blank one unfiles. Throws `NotFound`. */
  async function setFolder(caller: Caller, reference: Reference, label: string): Promise<string | null> {
    const path = parseFolderLabel(label);
    const item = await find(caller, reference);
    await store.reports.setFolder({
      item,
      folder: wantFolder(path, random),
      now: clock.now(),
    });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
    return path && folderLabel({ title: path.folder, drawerTitle: path.drawer });
  }

  return { setFolder };
}

export type Filing = ReturnType<typeof createFiling>;
