import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { RequestedFolder } from "../../domain/model/folders.ts";
import { folderLabel } from "../../domain/model/folders.ts";
import { CABINET_TITLE_CHARACTERS, cutCharacters } from "../../domain/model/limits.ts";
import type { Database } from "../engine/schema.ts";
import { titleColumns } from "./cabinet.ts";

interface FolderRequest extends RequestedFolder {
  workspaceId: string;
  now: number;
}

/**
 * Returns the id of the folder that a legacy label names. Creates the folder and its drawer if they are missing. If
 * several folders have the same label, prefers the item's current one.
 */
export async function findOrCreateFolder(
  database: Database,
  request: FolderRequest,
  currentId: string | null = null,
): Promise<string> {
  const found = await findFolders(database, request);
  if (currentId !== null && found.includes(currentId)) return currentId;
  return found[0] ?? createFolder(database, request);
}

/** Returns the ids of folders with the requested label: first those with the exact titles, each group oldest first. */
async function findFolders(database: Database, { workspaceId, drawer, folder }: FolderRequest): Promise<string[]> {
  const label = folderLabel({ title: folder, drawerTitle: drawer });
  const candidates = await database
    .selectFrom("folders")
    .leftJoin("drawers", "drawers.id", "folders.drawer_id")
    .select(["folders.id", "folders.title", "drawers.title as drawerTitle"])
    .where("folders.workspace_id", "=", workspaceId)
    .where(startOfTitle("folders"), "in", possibleTitles(label).map(cutTitle))
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

/** Returns a title for use in a unique key. A long one is cut and gets a digest, so that it stays unique. */
function keyOfTitle(title: string): string {
  const start = cutTitle(title);
  return start === title ? title : `${start}#${createHash("sha256").update(title).digest("hex")}`;
}

/** Returns all titles that a folder with this label can have. Titles may contain slashes. */
function possibleTitles(label: string): string[] {
  const parts = label.split("/");
  return parts.map((_, position) => parts.slice(position).join("/"));
}

async function createFolder(database: Database, request: FolderRequest): Promise<string> {
  const { workspaceId, drawer, folder, newFolderId, now } = request;
  const drawerId = drawer === null ? null : await findOrCreateDrawer(database, request, drawer);
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
    made?.id ?? (await findLabelled(database, "folders", workspaceId, label_key)) ?? createFolder(database, request)
  );
}

/**
 * Returns the folder or drawer that a concurrent call has just created. Only reads the row: an update would lock it,
 * and deadlock with a transaction that files a report there and waits for this one.
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

async function findOrCreateDrawer(database: Database, request: FolderRequest, title: string): Promise<string> {
  const { workspaceId, newDrawerId, now } = request;
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
    findOrCreateDrawer(database, request, title)
  );
}
