import type { Authorized, ItemBatch, VersionOfItem } from "../../domain/model/access.ts";
import { itemNotFound } from "../../domain/model/common-failures.ts";
import type { Item } from "../../domain/model/entities.ts";
import type { Disposal, DisposedItems, ProtectedThing } from "../../domain/trash/ports.ts";
import { claimItems } from "../cabinet/batches.ts";
import type { Database } from "../engine/schema.ts";
import { showCurrentVersion } from "../reports/current-version.ts";
import { lockItem } from "../reports/items.ts";
import { disposeOfItems, disposeOfVersions, findProtected } from "./disposal.ts";

export async function deleteItem(
  database: Database,
  { item, ...disposal }: Disposal & { item: Authorized<"control", Item> },
): Promise<{ protected: ProtectedThing } | DisposedItems> {
  if ((await lockItem(database, item.id, disposal.now)) === undefined) throw itemNotFound(item);
  return dispose(database, { ...disposal, workspaceId: item.workspaceId, itemIds: [item.id] });
}

export async function deleteItems(
  database: Database,
  { batch, ...disposal }: Disposal & { batch: Authorized<"control", ItemBatch> },
): Promise<{ missing: number } | { protected: ProtectedThing } | DisposedItems> {
  const { missing } = await claimItems(database, batch);
  if (missing !== undefined) return { missing };
  const { workspaceId, itemIds } = batch;
  return dispose(database, { ...disposal, workspaceId, itemIds });
}

async function dispose(
  database: Database,
  disposal: Disposal & { workspaceId: string; itemIds: readonly number[] },
): Promise<{ protected: ProtectedThing } | DisposedItems> {
  const kept = await findProtected(database, disposal.itemIds);
  return kept === undefined ? disposeOfItems(database, { ...disposal, reason: "user" }) : { protected: kept };
}

/** Deletes one version. The newest remaining version becomes current. Deleting the last version deletes the item. */
export async function deleteVersion(
  database: Database,
  { found, ...disposal }: Disposal & { found: Authorized<"control", VersionOfItem> },
): Promise<{ protected: ProtectedThing } | DisposedItems | undefined> {
  const { id: itemId, workspaceId } = found.item;
  const { code } = found.version;
  const currentCode = await lockItem(database, itemId, disposal.now);
  const version = await database
    .selectFrom("versions")
    .select(["code", "size", "visibility", "organization_id", "version_no", "protected_at"])
    .where("code", "=", code)
    .executeTakeFirst();
  const item = await database.selectFrom("items").selectAll().where("id", "=", itemId).executeTakeFirst();
  if (version === undefined || item === undefined) return undefined;
  const isProtected = item.protected_at !== null || version.protected_at !== null;
  if (isProtected) {
    const versionNo = item.protected_at === null ? version.version_no : undefined;
    return { protected: { itemId, name: item.name, versionNo } };
  }
  const newest = await findNewest(database, itemId, code);
  if (newest === undefined)
    return disposeOfItems(database, { ...disposal, workspaceId, itemIds: [itemId], reason: "user" });
  const succeededBy = currentCode === code ? newest : undefined;
  const discarded = { ...disposal, workspaceId, reason: "user" as const };
  const outcome = await disposeOfVersions(database, { discarded, versions: [{ item, version, succeededBy }] });
  if (succeededBy !== undefined) await makeCurrent(database, itemId, succeededBy);
  return outcome;
}

/** Returns the code of an item's newest version apart from one. */
async function findNewest(database: Database, itemId: number, except: string): Promise<string | undefined> {
  const newest = await database
    .selectFrom("versions")
    .select("code")
    .where("item_id", "=", itemId)
    .where("code", "<>", except)
    .orderBy("version_no", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.code;
}

export async function makeCurrent(database: Database, itemId: number, code: string): Promise<void> {
  await database.updateTable("items").set({ current_code: code }).where("id", "=", itemId).execute();
  await showCurrentVersion(database, itemId);
}
