import { sql } from "kysely";
import type { Authorized, VersionOfItem } from "../domain/access.ts";
import { notFound } from "../domain/failure.ts";
import type { Instant, Item } from "../domain/model.ts";
import { showCurrentVersion } from "./current-version.ts";
import { lockItem } from "./items.ts";
import { bigInteger } from "./rows.ts";
import type { Database } from "./schema.ts";
import { removeCodesFromIndex, removeFromIndex } from "./search/index-item.ts";

/** Removes an item with all its versions; their codes are never given out again. */
export async function deleteItem(
  database: Database,
  { item, now }: { item: Authorized<"control", Item>; now: Instant },
): Promise<string[]> {
  if ((await lockItem(database, item.id, now)) === undefined) throw notFound("There is no such group.");
  await database
    .insertInto("retired_codes")
    .columns(["code", "retired_at"])
    .expression((query) =>
      query
        .selectFrom("versions")
        .select(["code", bigInteger(now).as("retired_at")])
        .where("item_id", "=", item.id),
    )
    .execute();
  const versions = await database
    .deleteFrom("versions")
    .where("item_id", "=", item.id)
    .returning(["code", "size"])
    .execute();
  await removeCodesFromIndex(database, { itemId: item.id });
  await removeItem(database, item.id);
  const freed = versions.reduce((sum, version) => sum + version.size, 0);
  await giveBackToQuota(database, item.workspaceId, freed);
  return versions.map((version) => version.code);
}

/** Removes one version. The highest remaining one takes its place as current; the last one takes its item along. */
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
  if (currentCode === version.code) await moveToHighest(database, item.id);
  await giveBackToQuota(database, item.workspaceId, deleted.size);
  return true;
}

async function moveToHighest(database: Database, itemId: number): Promise<void> {
  const highest = await database
    .selectFrom("versions")
    .select("code")
    .where("item_id", "=", itemId)
    .orderBy("version_no", "desc")
    .limit(1)
    .executeTakeFirst();
  if (highest === undefined) {
    await removeItem(database, itemId);
  } else {
    await database.updateTable("items").set({ current_code: highest.code }).where("id", "=", itemId).execute();
    await showCurrentVersion(database, itemId);
  }
}

async function removeItem(database: Database, itemId: number): Promise<void> {
  await removeFromIndex(database, itemId);
  await database.deleteFrom("items").where("id", "=", itemId).execute();
}

async function giveBackToQuota(database: Database, workspaceId: string, size: number): Promise<void> {
  await database
    .updateTable("workspaces")
    .set({ stored_bytes: sql`stored_bytes - ${size}` })
    .where("id", "=", workspaceId)
    .execute();
}
