import { authorizeReadVersion, type VersionOfItem } from "../model/access.ts";
import type { Caller } from "../model/entities.ts";
import type { ItemStore } from "./ports.ts";

/** What a call names: a group, or a report by its code. */
export type Reference = { name: string } | { code: string };

/**
 * The item that a reference names, with its current version; the code of a group's version names that group. Whether the
 * caller may see the item is still to be asked.
 */
export async function findReferenced(
  items: Pick<ItemStore, "findGroup" | "findVersion">,
  caller: Caller,
  reference: Reference,
): Promise<VersionOfItem | undefined> {
  if ("name" in reference) return items.findGroup(reference.name);
  const found = authorizeReadVersion(caller, await items.findVersion(reference.code));
  if (found === undefined || found.item.currentCode === reference.code) return found;
  return items.findVersion(found.item.currentCode);
}
