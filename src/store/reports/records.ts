import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Item } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";
import type { RecorderOf } from "../model/records.ts";
import type { rename, rollBack, setItemVisibility, setVersionVisibility } from "./items.ts";
import type { setItemStorage, setVersionStorage } from "./storage.ts";
import type { setTitle } from "./titles.ts";

const ofItem = ({ id, name, workspaceId, currentCode }: Item) => ({
  workspaceId,
  subject: name ?? currentCode,
  subjectId: id,
  code: currentCode,
});

export const recordRename: RecorderOf<typeof rename> =
  (_, { item, newName }) =>
  () => [{ action: "report.rename", ...ofItem(item), subject: newName, details: { from: item.name, to: newName } }];

export const recordRollBack: RecorderOf<typeof rollBack> =
  (_, { item, code }) =>
  () =>
    item.currentCode === code
      ? []
      : [{ action: "report.roll_back", ...ofItem(item), code, details: { from: item.currentCode, to: code } }];

export const recordItemVisibility: RecorderOf<typeof setItemVisibility> = async (database, { item, visibility }) => {
  const title = await findTitle(database, item.id);
  const details = { from: item.visibility, to: visibility };
  return () => [{ action: "report.set_visibility", ...ofItem(item), title, details }];
};

export const recordTitle: RecorderOf<typeof setTitle> = async (database, { item, title }) => {
  const before = await findTitle(database, item.id);
  return async () => {
    const after = await findTitle(database, item.id);
    const details = { from: before, to: after, is_reset: title === null };
    return [{ action: "report.set_title", ...ofItem(item), title: after, details }];
  };
};

export const recordItemStorage: RecorderOf<typeof setItemStorage> = async (database, { item, storage }) => {
  const title = await findTitle(database, item.id);
  return () => [{ action: "report.set_storage", ...ofItem(item), title, details: { to: storage } }];
};

export const recordVersionStorage: RecorderOf<typeof setVersionStorage> =
  (_, { found: { item, version }, storage }) =>
  () => [
    {
      action: "version.set_storage",
      ...ofItem(item),
      code: version.code,
      title: version.title,
      details: { version: version.versionNo, from: version.storage, to: storage },
    },
  ];

async function findTitle(database: Database, itemId: number): Promise<string | null> {
  const item = await database.selectFrom("items").select("title").where("id", "=", itemId).executeTakeFirst();
  return item?.title ?? null;
}

export const recordVersionVisibility: RecorderOf<typeof setVersionVisibility> =
  (_, { found: { item, version }, visibility }) =>
  () => [
    {
      action: "version.set_visibility",
      ...ofItem(item),
      code: version.code,
      title: version.title,
      details: { version: version.versionNo, from: version.visibility, to: visibility },
    },
  ];

/** Returns an event for each of the reports, which exist. */
export async function eventsOfItems(
  database: Database,
  action: AuditEvent["action"],
  itemIds: readonly number[],
): Promise<AuditEvent[]> {
  if (itemIds.length === 0) return [];
  const items = await database
    .selectFrom("items")
    .select(["id", "name", "workspace_id", "current_code", "title"])
    .where("id", "in", itemIds)
    .orderBy("id")
    .execute();
  return items.map(({ id, name, workspace_id: workspaceId, current_code: code, title }) => ({
    action,
    workspaceId,
    subject: name ?? code,
    subjectId: id,
    code,
    title,
  }));
}
