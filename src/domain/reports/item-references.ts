import { authorizeReadVersion, type VersionOfItem } from "../model/access.ts";
import type { Caller } from "../model/entities.ts";
import type { ItemStore } from "./ports.ts";

/** Names a report, either by its name or by the code of a version. */
export type Reference = { name: string } | { code: string };

/**
 * Returns the report that a reference names, with its current version. The code of any version names its report if the
 * caller may read that version. Callers still have to check access to the report.
 */
export async function findReferenced(
  items: Pick<ItemStore, "findNamedReport" | "findVersion">,
  caller: Caller,
  reference: Reference,
): Promise<VersionOfItem | undefined> {
  if ("name" in reference) return items.findNamedReport(reference.name, caller);
  const found = authorizeReadVersion(caller, await items.findVersion(reference.code, caller));
  if (found === undefined || found.item.currentCode === reference.code) return found;
  return items.findVersion(found.item.currentCode, caller);
}
