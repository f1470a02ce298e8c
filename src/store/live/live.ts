import type { LiveItem } from "../../domain/live/ports.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { selectVersionOfItem, toVersionOfItem } from "../model/rows.ts";

const selectOwned = (database: Database) =>
  selectVersionOfItem(database)
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .select(["workspaces.slug as owner_slug", "workspaces.display_name as owner_name"]);

/** Selects named reports with their current version. */
const selectCurrent = (database: Database) =>
  selectOwned(database).whereRef("versions.code", "=", "items.current_code");

type Row = Parameters<typeof toVersionOfItem>[0] & { owner_slug: string; owner_name: string | null };

const toLiveItem = (row: Row | undefined): LiveItem | undefined =>
  row && { ...toVersionOfItem(row), ownerSlug: row.owner_slug, ownerName: row.owner_name };

const selectByName = prepared((database, name: string) => selectCurrent(database).where("items.name", "=", name));

export async function findLiveByName(database: Database, name: string): Promise<LiveItem | undefined> {
  const [row] = await selectByName(database, name);
  return toLiveItem(row);
}

const selectById = prepared((database, itemId: number) => selectCurrent(database).where("items.id", "=", itemId));

export async function findLiveById(database: Database, itemId: number): Promise<LiveItem | undefined> {
  const [row] = await selectById(database, itemId);
  return toLiveItem(row);
}

const selectByCode = prepared((database, code: string) => selectOwned(database).where("versions.code", "=", code));

export async function findLiveByCode(database: Database, code: string): Promise<LiveItem | undefined> {
  const [row] = await selectByCode(database, code);
  return toLiveItem(row);
}
