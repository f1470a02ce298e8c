import type { VersionOfItem } from "../../domain/model/access.ts";
import type { Database } from "../engine/schema.ts";
import { selectVersionOfItem, toVersionOfItem } from "../model/rows.ts";

export async function findNamedReports(database: Database, names: readonly string[]): Promise<VersionOfItem[]> {
  if (names.length === 0) return [];
  const rows = await selectVersionOfItem(database)
    .where("items.name", "in", names)
    .whereRef("versions.code", "=", "items.current_code")
    .execute();
  return rows.map(toVersionOfItem);
}

export async function findVersions(database: Database, codes: readonly string[]): Promise<VersionOfItem[]> {
  if (codes.length === 0) return [];
  const rows = await selectVersionOfItem(database).where("versions.code", "in", codes).execute();
  return rows.map(toVersionOfItem);
}

export async function findItemsOf(database: Database, codes: readonly string[]): Promise<VersionOfItem[]> {
  if (codes.length === 0) return [];
  const itemIds = database.selectFrom("versions as named").select("named.item_id").where("named.code", "in", codes);
  const rows = await selectVersionOfItem(database)
    .where("items.id", "in", itemIds)
    .whereRef("versions.code", "=", "items.current_code")
    .execute();
  return rows.map(toVersionOfItem);
}
