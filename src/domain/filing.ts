import { authorizeModifyItem, authorizeReadVersion } from "./access.ts";
import { notFound } from "./failure.ts";
import { folderLabel, parseFolderLabel, wantFolder } from "./folders.ts";
import type { Caller } from "./model.ts";
import type { Clock, Events, Random, Store } from "./ports.ts";

/** What a call names: a group, or a report by its code. */
export type Reference = { name: string } | { code: string };

interface Parts {
  store: Pick<Store, "items">;
  events: Events;
  clock: Clock;
  random: Random;
}

/** Filing: the place of groups and standalone reports in the cabinet. */
export function createFiling({ store, events, clock, random }: Parts) {
  /** The item that a reference names; the code of a group's version names that group. */
  async function find(caller: Caller, reference: Reference) {
    const found =
      "name" in reference ? await store.items.findGroup(reference.name) : await findByCode(caller, reference.code);
    const item = authorizeModifyItem(caller, found);
    if (item === undefined)
      throw notFound("name" in reference ? "There is no such group." : "There is no such report.");
    return item;
  }

  async function findByCode(caller: Caller, code: string) {
    const found = authorizeReadVersion(caller, await store.items.findVersion(code));
    if (found === undefined || found.item.currentCode === code) return found;
    return store.items.findVersion(found.item.currentCode);
  }

  /** Files by a legacy label and returns the label as it reads back; a blank one unfiles. Throws `NotFound`. */
  async function setFolder(caller: Caller, reference: Reference, label: string): Promise<string | null> {
    const path = parseFolderLabel(label);
    const item = await find(caller, reference);
    await store.items.setFolder({
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
