import type { VersionOfItem } from "../../domain/model/access.ts";
import type { Person } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";
import { selectFor, toFound } from "../model/rows.ts";

export async function findNamedReports(
  database: Database,
  names: readonly string[],
  person?: Person,
): Promise<VersionOfItem[]> {
  if (names.length === 0) return [];
  const rows = await selectFor(database, person)
    .where("items.name", "in", names)
    .whereRef("versions.code", "=", "items.current_code")
    .execute();
  return rows.map(toFound);
}

export async function findVersions(
  database: Database,
  codes: readonly string[],
  person?: Person,
): Promise<VersionOfItem[]> {
  if (codes.length === 0) return [];
  const rows = await selectFor(database, person).where("versions.code", "in", codes).execute();
  return rows.map(toFound);
}

export async function findItemsOf(
  database: Database,
  codes: readonly string[],
  person?: Person,
): Promise<VersionOfItem[]> {
  if (codes.length === 0) return [];
  const itemIds = database.selectFrom("versions as named").select("named.item_id").where("named.code", "in", codes);
  const rows = await selectFor(database, person)
    .where("items.id", "in", itemIds)
    .whereRef("versions.code", "=", "items.current_code")
    .execute();
  return rows.map(toFound);
}
