import {
  type Authorized,
  authorizeShareItem,
  authorizeShareVersion,
  type ShareSubject,
  type VersionOfItem,
} from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ItemStore } from "../reports/ports.ts";

/** What a request shares, with the version that it names or the current one. */
export interface FoundSubject {
  subject: Authorized<"control", ShareSubject>;
  found: VersionOfItem;
}

/** Returns what a reference names, to share it. Throws `NotFound`, or `Forbidden` if the caller may only read it. */
export async function findSubject(
  store: Pick<ItemStore, "findNamedReport" | "findVersion">,
  caller: Caller,
  reference: Reference,
): Promise<FoundSubject> {
  const isWhole = "name" in reference;
  const found = await (isWhole
    ? store.findNamedReport(reference.name, caller)
    : store.findVersion(reference.code, caller));
  const subject = isWhole ? authorizeShareItem(caller, found) : authorizeShareVersion(caller, found);
  if (subject === undefined || found === undefined) throw reportNotFound(reference);
  return { subject, found };
}
