import {
  type Authorized,
  authorizeModifyItem,
  authorizeModifyItems,
  authorizeReadVersion,
  type ItemBatch,
} from "../model/access.ts";
import type { Caller, Item } from "../model/entities.ts";
import { type Failure, invalid, notFound } from "../model/failure.ts";
import { quote } from "../model/quote.ts";
import type { Reference } from "./item-references.ts";
import type { ItemFinder } from "./ports.ts";

/** The reports that references name: one for each reference, and all as one batch. */
export interface NamedItems {
  batch: Authorized<"modify", ItemBatch>;
  items: Authorized<"modify", Item>[];
  references: readonly Reference[];
}

/** Returns the reports that references name. Throws `NotFound` or `Invalid` for the first invalid reference. */
export async function resolveItems(
  batches: ItemFinder,
  caller: Caller,
  references: readonly Reference[],
): Promise<NamedItems> {
  const find = await findAll(batches, caller, references);
  const items = references.map((reference, position) => {
    const item = find(reference);
    if (item === undefined) throw noSuchItem(references, position);
    return item;
  });
  const batch = authorizeModifyItems(caller, items);
  if (batch !== undefined) return { batch, items, references };
  const stray = items.findIndex(({ workspaceId }) => workspaceId !== items[0]?.workspaceId);
  throw invalid(`items[${stray}] is in a different workspace than items[0]. Send one request per workspace.`);
}

/** Reads all named reports in three queries. Returns a function that finds the report of a reference. */
async function findAll(batches: ItemFinder, caller: Caller, references: readonly Reference[]) {
  const names = references.flatMap((reference) => ("name" in reference ? [reference.name] : []));
  const codes = references.flatMap((reference) => ("code" in reference ? [reference.code] : []));
  const [named, versions, current] = await Promise.all([
    batches.findNamedReports(names, caller),
    batches.findVersions(codes, caller),
    batches.findItemsOf(codes, caller),
  ]);
  const readable = versions.filter((found) => authorizeReadVersion(caller, found) !== undefined);
  const itemIds = new Map(readable.map(({ item, version }) => [version.code, item.id]));
  const byId = new Map(current.map((found) => [found.item.id, found]));
  const byName = new Map(named.map((found) => [found.item.name, found]));
  return (reference: Reference) =>
    authorizeModifyItem(
      caller,
      "name" in reference ? byName.get(reference.name) : byId.get(itemIds.get(reference.code) ?? 0),
    );
}

/** Returns the failure for the reference at a position. */
export function noSuchItem(references: readonly Reference[], position: number): Failure {
  const reference = references[position];
  if (reference === undefined) return notFound("One of the items no longer exists. Reload the list and try again.");
  return "name" in reference
    ? notFound(
        `items[${position}]: report ${quote(reference.name)} not found. Check the name and that you have access.`,
      )
    : notFound(
        `items[${position}]: version ${quote(reference.code)} not found. Check the code and that you have access.`,
      );
}
