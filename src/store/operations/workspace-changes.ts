import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { RequestedFolder } from "../../domain/model/folders.ts";
import type {
  Cabinet,
  ChangedReports,
  CopiedCabinet,
  MemberRemoval,
  WorkspaceChange,
} from "../../domain/operations/administration-ports.ts";
import { titleColumns } from "../cabinet/cabinet.ts";
import { findOrCreateFolder } from "../cabinet/folders.ts";
import { countingSubtreesOnce } from "../cabinet/subtree-counts.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { removeItems, retireCodes } from "../reports/deletion.ts";
import { addCodesToIndex, addToIndex, removeCodesFromIndex, removeFromIndex } from "../search/index-item.ts";

/** Shuts an organization before its deletion: its members, access tokens and invitations go, so that no one can publish. */
export async function beginWorkspaceDeletion(
  database: Database,
  { workspaceId }: WorkspaceChange,
): Promise<MemberRemoval[]> {
  await lockWorkspaces(database, [workspaceId]);
  const members = await database
    .selectFrom("memberships")
    .innerJoin("memberships as own", "own.user_id", "memberships.user_id")
    .innerJoin("workspaces as home", "home.id", "own.workspace_id")
    .select(["memberships.user_id as userId", "home.id as ownWorkspaceId"])
    .where("memberships.workspace_id", "=", workspaceId)
    .where("home.kind", "=", "user")
    .execute();
  for (const table of ["tokens", "oauth_grants", "oauth_devices", "invitations", "memberships"] as const) {
    await database.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  }
  return members;
}

/** Deletes up to `limit` reports of a workspace. Returns none when none are left. */
export async function deleteReports(
  database: Database,
  { workspaceId, limit, now }: WorkspaceChange & { limit: number; now: Instant },
): Promise<ChangedReports> {
  const itemIds = await lockReports(database, workspaceId, limit);
  if (itemIds.length === 0) return { itemIds, codes: [] };
  await retireCodes(database, { itemIds, now });
  const codes = await removeItems(database, { workspaceId, itemIds });
  return { itemIds, codes };
}

/** Locks the first reports of a workspace, in the order in which other changes lock them, and returns their ids. */
async function lockReports(database: Database, workspaceId: string, limit: number): Promise<number[]> {
  const rows = await database
    .selectFrom("items")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .orderBy("id")
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Updates the rows of workspaces, so that concurrent changes of their members and reports wait and then see this one. */
export async function lockWorkspaces(database: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) {
    await database.updateTable("workspaces").set({ stored_bytes: sql`stored_bytes` }).where("id", "=", id).execute();
  }
}

/** Deletes an empty workspace. Returns false if it has reports. */
export async function deleteEmptyWorkspace(database: Database, { workspaceId }: WorkspaceChange): Promise<boolean> {
  await lockWorkspaces(database, [workspaceId]);
  if ((await lockReports(database, workspaceId, 1)).length > 0) return false;
  await database.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
  return true;
}

export async function listCabinet(database: Database, workspaceId: string): Promise<Cabinet> {
  const folders = await database
    .selectFrom("folders")
    .leftJoin("drawers", "drawers.id", "folders.drawer_id")
    .select(["folders.id", "folders.title as folder", "drawers.title as drawer"])
    .where("folders.workspace_id", "=", workspaceId)
    .orderBy("folders.id")
    .execute();
  const tags = await database
    .selectFrom("tags")
    .select(["id", "title", "parent_id as parentId"])
    .where("workspace_id", "=", workspaceId)
    .orderBy("id")
    .execute();
  return { folders, tags };
}

/** Returns the id of the folder with these titles in a workspace. Creates it, and its drawer, if it is missing. */
export const copyFolder = (
  database: Database,
  { workspaceId, folder, now }: WorkspaceChange & { folder: RequestedFolder; now: Instant },
): Promise<string> => findOrCreateFolder(database, { ...folder, workspaceId, now });

/** Returns the id of the tag with this title below a parent. Creates it if it is missing. */
export async function copyTag(
  database: Database,
  change: WorkspaceChange & { title: string; parentId: string | null; newTagId: string; now: Instant },
): Promise<string> {
  const { workspaceId, title, parentId, newTagId, now } = change;
  await lockWorkspaces(database, [workspaceId]);
  const found = await database
    .selectFrom("tags")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("title", "=", title)
    .where("parent_id", parentId === null ? "is" : "=", parentId)
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  await database
    .insertInto("tags")
    .values({
      id: newTagId,
      workspace_id: workspaceId,
      parent_id: parentId,
      ...titleColumns(title),
      created_at: now,
    })
    .execute();
  return newTagId;
}

interface Move extends WorkspaceChange {
  toWorkspaceId: string;
  cabinet: CopiedCabinet;
  limit: number;
  now: Instant;
}

/** Moves up to `limit` reports to another workspace, into the folders and tags copied there. */
export async function moveReports(database: Database, move: Move): Promise<ChangedReports> {
  const { workspaceId, toWorkspaceId, cabinet, limit, now } = move;
  const itemIds = await lockReports(database, workspaceId, limit);
  if (itemIds.length === 0) return { itemIds, codes: [] };
  await database.deleteFrom("shortcuts").where("workspace_id", "=", workspaceId).where(leadsTo(itemIds)).execute();
  await forgetReaders(database, itemIds);
  await moveTags(database, move, itemIds);
  await refile(database, { toWorkspaceId, cabinet, itemIds, now });
  const versions = await database
    .selectFrom("versions")
    .select(["code", "item_id", "size"])
    .where("item_id", "in", itemIds)
    .execute();
  await moveIndex(database, toWorkspaceId, itemIds, versions);
  await moveBytes(
    database,
    move,
    versions.reduce((sum, { size }) => sum + size, 0),
  );
  return { itemIds, codes: versions.map(({ code }) => code) };
}

/** Deletes what was recorded about the readers of reports, because the other workspace has its own setting for that. */
async function forgetReaders(database: Database, itemIds: readonly number[]): Promise<void> {
  await database
    .deleteFrom("seen")
    .where("code", "in", (query) => query.selectFrom("versions").select("code").where("item_id", "in", itemIds))
    .execute();
}

/** Returns the condition that a shortcut leads to one of the items. */
function leadsTo(itemIds: readonly number[]): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "shortcuts">();
  const names = where.selectFrom("items").select("name").where("id", "in", itemIds).where("name", "is not", null);
  const codes = where.selectFrom("versions").select("code").where("item_id", "in", itemIds);
  return where.or([
    where.and([where("kind", "=", "group"), where("ref", "in", names.$castTo<{ name: string }>())]),
    where.and([where("kind", "=", "report"), where("ref", "in", codes)]),
  ]);
}

async function moveTags(
  database: Database,
  { toWorkspaceId, cabinet }: Pick<Move, "toWorkspaceId" | "cabinet">,
  itemIds: readonly number[],
): Promise<void> {
  const copies = new Map(cabinet.tags);
  await countingSubtreesOnce(database, itemIds, async () => {
    const old = await database.deleteFrom("item_tags").where("item_id", "in", itemIds).returningAll().execute();
    const rows = old.flatMap(({ item_id, tag_id }) => {
      const copy = copies.get(tag_id);
      return copy === undefined ? [] : [{ item_id, tag_id: copy, workspace_id: toWorkspaceId }];
    });
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      await database
        .insertInto("item_tags")
        .values(rows.slice(start, start + ROWS_AT_ONCE))
        .onConflict((known) => known.columns(["item_id", "tag_id"]).doNothing())
        .execute();
    }
  });
}

/** Rows per insert, which keeps the number of parameters within the engines' limits. */
const ROWS_AT_ONCE = 500;

async function refile(
  database: Database,
  { toWorkspaceId, cabinet, itemIds, now }: Pick<Move, "toWorkspaceId" | "cabinet" | "now"> & { itemIds: number[] },
): Promise<void> {
  const filed = await database
    .selectFrom("items")
    .select(["id", "folder_id"])
    .where("id", "in", itemIds)
    .where("folder_id", "is not", null)
    .execute();
  await database
    .updateTable("items")
    .set({ workspace_id: toWorkspaceId, sample: null })
    .where("id", "in", itemIds)
    .execute();
  const copies = new Map(cabinet.folders);
  for (const folderId of new Set(filed.map(({ folder_id }) => folder_id ?? ""))) {
    await database
      .updateTable("items")
      .set({ folder_id: copies.get(folderId) ?? null, folder_changed_at: now })
      .where("folder_id", "=", folderId)
      .where("id", "in", itemIds)
      .execute();
  }
}

async function moveIndex(
  database: Database,
  toWorkspaceId: string,
  itemIds: readonly number[],
  versions: readonly { code: string; item_id: number }[],
): Promise<void> {
  await removeCodesFromIndex(
    database,
    versions.map(({ code }) => code),
  );
  await removeFromIndex(database, itemIds);
  const items = await database.selectFrom("items").select(["id", "name", "title"]).where("id", "in", itemIds).execute();
  for (const item of items) await addToIndex(database, { ...item, workspaceId: toWorkspaceId });
  for (let start = 0; start < versions.length; start += ROWS_AT_ONCE) {
    await addCodesToIndex(database, toWorkspaceId, versions.slice(start, start + ROWS_AT_ONCE));
  }
}

async function moveBytes(
  database: Database,
  { workspaceId, toWorkspaceId }: Pick<Move, "workspaceId" | "toWorkspaceId">,
  size: number,
): Promise<void> {
  const changes: [id: string, by: number][] = [
    [workspaceId, -size],
    [toWorkspaceId, size],
  ];
  // In the order of their ids, so that two moves in opposite directions don't lock each other out.
  for (const [id, by] of changes.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    await database
      .updateTable("workspaces")
      .set({ stored_bytes: sql`stored_bytes + ${by}` })
      .where("id", "=", id)
      .execute();
  }
}
