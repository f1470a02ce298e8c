import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { RequestedFolder } from "../../domain/model/folders.ts";
import { folderLabel } from "../../domain/model/folders.ts";
import { CABINET_TITLE_CHARACTERS, cutCharacters } from "../../domain/model/limits.ts";
import type { Database } from "../engine/schema.ts";
import { titleColumns } from "./cabinet.ts";

interface FolderWanted extends RequestedFolder {
  workspaceId: string;
  now: number;
}

/**
 * The id of the folder that a legacy label names; it and its drawer are made where they are missing. Of several folders
 * that read the same, the one where the item is already comes first.
 */
export async function findOrCreateFolder(
  database: Database,
  wanted: FolderWanted,
  currentId: string | null = null,
): Promise<string> {
  const found = await findFolders(database, wanted);
  if (currentId !== null && found.includes(currentId)) return currentId;
  return found[0] ?? createFolder(database, wanted);
}

/** Ids of the folders that read as the label: those of the wanted titles first, and then the oldest. */
async function findFolders(database: Database, { workspaceId, drawer, folder }: FolderWanted): Promise<string[]> {
  const label = folderLabel({ title: folder, drawerTitle: drawer });
  const candidates = await database
    .selectFrom("folders")
    .leftJoin("drawers", "drawers.id", "folders.drawer_id")
    .select(["folders.id", "folders.title", "drawers.title as drawerTitle"])
    .where("folders.workspace_id", "=", workspaceId)
    .where(startOfTitle("folders"), "in", endsOf(label).map(cutTitle))
    .orderBy("folders.created_at")
    .orderBy("folders.id")
    .execute();
  const matches = candidates.filter((candidate) => folderLabel(candidate) === label);
  const isExact = (match: { title: string }) => match.title === folder;
  return [...matches.filter(isExact), ...matches.filter((match) => !isExact(match))].map(({ id }) => id);
}

/** Returns the part of a title that is indexed: PostgreSQL's indexes can't hold a label of 1,000 characters. */
const startOfTitle = (table: "folders" | "drawers") =>
  sql<string>`substr(${sql.ref(`${table}.title`)}, 1, ${sql.lit(CABINET_TITLE_CHARACTERS)})`;

const cutTitle = (title: string) => cutCharacters(title, CABINET_TITLE_CHARACTERS);

/** Returns a title as part of a unique key; a long one is replaced by its digest, which is no other title's key. */
function keyOfTitle(title: string): string {
  const start = cutTitle(title);
  return start === title ? title : `${start}#${createHash("sha256").update(title).digest("hex")}`;
}

/** What a folder's title may be for it to read as the label: titles may have slashes in them. */
function endsOf(label: string): string[] {
  const parts = label.split("/");
  return parts.map((_, position) => parts.slice(position).join("/"));
}

async function createFolder(database: Database, wanted: FolderWanted): Promise<string> {
  const { workspaceId, drawer, folder, newFolderId, now } = wanted;
  const drawerId = drawer === null ? null : await findOrCreateDrawer(database, wanted, drawer);
  const label_key = `${drawerId ?? ""}/${keyOfTitle(folder)}`;
  const made = await database
    .insertInto("folders")
    .values({
      id: newFolderId,
      workspace_id: workspaceId,
      drawer_id: drawerId,
      ...titleColumns(folder),
      label_key,
      created_at: now,
    })
    .onConflict((taken) => taken.columns(["workspace_id", "label_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return (
    made?.id ?? (await findLabelled(database, "folders", workspaceId, label_key)) ?? createFolder(database, wanted)
  );
}

/**
 * What another call has just made. It is not written to: that would lock it against those who file something there, of
 * whom one may have the item that this call is about.
 */
async function findLabelled(database: Database, table: "folders" | "drawers", workspaceId: string, key: string) {
  const found = await database
    .selectFrom(table)
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("label_key", "=", key)
    .executeTakeFirst();
  return found?.id;
}

async function findOrCreateDrawer(database: Database, wanted: FolderWanted, title: string): Promise<string> {
  const { workspaceId, newDrawerId, now } = wanted;
  const found = await database
    .selectFrom("drawers")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where(startOfTitle("drawers"), "=", cutTitle(title))
    .where("title", "=", title)
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();
  if (found) return found.id;
  const label_key = keyOfTitle(title);
  const made = await database
    .insertInto("drawers")
    .values({
      id: newDrawerId,
      workspace_id: workspaceId,
      ...titleColumns(title),
      label_key,
      created_at: now,
    })
    .onConflict((taken) => taken.columns(["workspace_id", "label_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return (
    made?.id ??
    (await findLabelled(database, "drawers", workspaceId, label_key)) ??
    findOrCreateDrawer(database, wanted, title)
  );
}
