import { sql } from "kysely";
import type { Authorized, VersionOfItem } from "../../domain/model/access.ts";
import { itemNotFound } from "../../domain/model/common-failures.ts";
import type { Instant, Item } from "../../domain/model/entities.ts";
import { countingSubtreesOnce } from "../cabinet/subtree-counts.ts";
import type { Database } from "../engine/schema.ts";
import { bigInteger } from "../model/rows.ts";
import { removeCodesFromIndex, removeFromIndex } from "../search/index-item.ts";
import { showCurrentVersion } from "./current-version.ts";
import { lockItem } from "./items.ts";

/** Deletes an item with all its versions and returns their codes, which are never reused. */
export async function deleteItem(
  database: Database,
  { item, now }: { item: Authorized<"control", Item>; now: Instant },
): Promise<string[]> {
  if ((await lockItem(database, item.id, now)) === undefined) throw itemNotFound(item);
  return removeItems(database, { workspaceId: item.workspaceId, itemIds: [item.id], deletionId: null, now });
}

interface Removal {
  workspaceId: string;
  /** The ids of locked items. */
  itemIds: readonly number[];
  /** The deletion that can be undone, or null for a permanent one. */
  deletionId: string | null;
  now: Instant;
}

/** Removes items with all their versions and returns the versions' codes. */
export async function removeItems(
  database: Database,
  { workspaceId, itemIds, deletionId, now }: Removal,
): Promise<string[]> {
  await database
    .insertInto("retired_codes")
    .columns(["code", "retired_at", "deletion_id"])
    .expression((query) =>
      query
        .selectFrom("versions")
        .select(["code", bigInteger(now).as("retired_at"), sql<string | null>`cast(${deletionId} as text)`.as("by")])
        .where("item_id", "in", itemIds),
    )
    .execute();
  const versions = await database
    .deleteFrom("versions")
    .where("item_id", "in", itemIds)
    .returning(["code", "size"])
    .execute();
  await removeCodesFromIndex(database, { itemIds });
  await removeFromIndex(database, itemIds);
  // All at once. When an item is deleted, the database would do it for that item alone.
  await countingSubtreesOnce(database, itemIds, () =>
    database.deleteFrom("item_tags").where("item_id", "in", itemIds).execute(),
  );
  await database.deleteFrom("items").where("id", "in", itemIds).execute();
  const freed = versions.reduce((sum, version) => sum + version.size, 0);
  await releaseQuota(database, workspaceId, freed);
  return versions.map((version) => version.code);
}

/** Deletes one version. The newest remaining version becomes current. Deleting the last version deletes the item. */
export async function deleteVersion(
  database: Database,
  { found: { item, version }, now }: { found: Authorized<"control", VersionOfItem>; now: Instant },
): Promise<boolean> {
  const currentCode = await lockItem(database, item.id, now);
  const deleted = await database
    .deleteFrom("versions")
    .where("code", "=", version.code)
    .returning("size")
    .executeTakeFirst();
  if (deleted === undefined) return false;
  await database.insertInto("retired_codes").values({ code: version.code, retired_at: now }).execute();
  await removeCodesFromIndex(database, { code: version.code });
  if (currentCode === version.code) await makeNewestCurrent(database, item.id);
  await releaseQuota(database, item.workspaceId, deleted.size);
  return true;
}

async function makeNewestCurrent(database: Database, itemId: number): Promise<void> {
  const newest = await database
    .selectFrom("versions")
    .select("code")
    .where("item_id", "=", itemId)
    .orderBy("version_no", "desc")
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined) {
    await removeFromIndex(database, [itemId]);
    await database.deleteFrom("items").where("id", "=", itemId).execute();
  } else {
    await database.updateTable("items").set({ current_code: newest.code }).where("id", "=", itemId).execute();
    await showCurrentVersion(database, itemId);
  }
}

async function releaseQuota(database: Database, workspaceId: string, size: number): Promise<void> {
  await database
    .updateTable("workspaces")
    .set({ stored_bytes: sql`stored_bytes - ${size}` })
    .where("id", "=", workspaceId)
    .execute();
}
