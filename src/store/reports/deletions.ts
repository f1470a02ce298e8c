import { type Selectable, sql } from "kysely";
import type { Authorized, Deletion, ItemBatch } from "../../domain/model/access.ts";
import { undoNotFound } from "../../domain/model/common-failures.ts";
import type { Instant } from "../../domain/model/entities.ts";
import { conflict, quotaFull } from "../../domain/model/failure.ts";
import type { DeletedItems } from "../../domain/reports/ports.ts";
import { claimItems } from "../cabinet/batches.ts";
import { countingSubtreesOnce } from "../cabinet/subtree-counts.ts";
import { isUniqueViolation } from "../engine/engine.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { addCodesToIndex, addToIndex } from "../search/index-item.ts";
import { removeItems } from "./deletion.ts";

/** Rows as they were when they were deleted. */
interface Snapshot {
  items: Selectable<Schema["items"]>[];
  versions: Selectable<Schema["versions"]>[];
  itemTags: Selectable<Schema["item_tags"]>[];
  shortcuts: Selectable<Schema["shortcuts"]>[];
  /** Undefined in deletions of the release before. */
  people?: Selectable<Schema["shared_people"]>[];
}

/** Rows per insert, which keeps the number of parameters within the engines' limits. */
const ROWS_AT_ONCE = 500;

export function findDeletion(database: Database, id: string): Promise<Deletion | undefined> {
  return database
    .selectFrom("deletions")
    .select(["id", "workspace_id as workspaceId", "user_id as userId"])
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function deleteItems(
  database: Database,
  change: { batch: Authorized<"control", ItemBatch>; id: string; expiresAt: Instant; now: Instant },
): Promise<{ missing: number } | DeletedItems> {
  const { batch, id, expiresAt, now } = change;
  const { workspaceId, itemIds, reader } = batch;
  const { missing } = await claimItems(database, batch);
  if (missing !== undefined) return { missing };
  const snapshot = await takeSnapshot(database, batch);
  await database
    .insertInto("deletions")
    .values({
      id,
      workspace_id: workspaceId,
      user_id: reader.userId,
      snapshot: JSON.stringify(snapshot),
      expires_at: expiresAt,
    })
    .execute();
  await removeShortcuts(database, snapshot.shortcuts);
  const codes = await removeItems(database, { workspaceId, itemIds, deletionId: id, now });
  return { itemIds: [...itemIds], codes };
}

async function takeSnapshot(database: Database, { workspaceId, itemIds }: ItemBatch): Promise<Snapshot> {
  const items = await database.selectFrom("items").selectAll().where("id", "in", itemIds).execute();
  const versions = await database.selectFrom("versions").selectAll().where("item_id", "in", itemIds).execute();
  const itemTags = await database.selectFrom("item_tags").selectAll().where("item_id", "in", itemIds).execute();
  const shortcuts = await database
    .selectFrom("shortcuts")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where(({ or, and, eb, selectFrom }) => {
      const names = selectFrom("items").select("name").where("id", "in", itemIds).where("name", "is not", null);
      const codes = selectFrom("versions").select("code").where("item_id", "in", itemIds);
      return or([
        and([eb("kind", "=", "group"), eb("ref", "in", names.$castTo<{ name: string }>())]),
        and([eb("kind", "=", "report"), eb("ref", "in", codes)]),
      ]);
    })
    .execute();
  const people = await database.selectFrom("shared_people").selectAll().where("item_id", "in", itemIds).execute();
  return { items, versions, itemTags, shortcuts, people };
}

/** Removes shortcuts to deleted reports, because they would otherwise lead to the next report with the same name. */
async function removeShortcuts(database: Database, shortcuts: Snapshot["shortcuts"]): Promise<void> {
  for (const { user_id, workspace_id, kind, ref } of shortcuts) {
    await database
      .deleteFrom("shortcuts")
      .where(({ and }) => and({ user_id, workspace_id, kind, ref }))
      .execute();
  }
}

export async function restoreItems(
  database: Database,
  { deletion, quota, now }: { deletion: Authorized<"control", Deletion>; quota: number; now: Instant },
): Promise<DeletedItems> {
  const { items, versions, itemTags, shortcuts, people = [] } = await takeDeletion(database, deletion.id, now);
  const { workspaceId } = deletion;
  await insertItems(database, items, now);
  await inChunks(versions, async (rows) => {
    await database.insertInto("versions").values(rows).execute();
    await addCodesToIndex(database, workspaceId, rows);
  });
  await insertTags(database, itemTags);
  await insertShortcuts(database, workspaceId, shortcuts);
  await inChunks(people, async (rows) => {
    await database.insertInto("shared_people").values(rows).execute();
  });
  const size = versions.reduce((sum, version) => sum + version.size, 0);
  await claimQuota(database, { workspaceId, size, quota });
  return { itemIds: items.map(({ id }) => id), codes: versions.map(({ code }) => code) };
}

/** Takes the deleted rows. Locks the deletion first, so that the sweep can't delete their objects at the same time. */
async function takeDeletion(database: Database, id: string, now: Instant): Promise<Snapshot> {
  const row = await database
    .selectFrom("deletions")
    .select("snapshot")
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw undoNotFound(id);
  await database.deleteFrom("retired_codes").where("deletion_id", "=", id).execute();
  await database.deleteFrom("deletions").where("id", "=", id).execute();
  return JSON.parse(row.snapshot);
}

async function insertItems(database: Database, items: Snapshot["items"], now: Instant): Promise<void> {
  const folders = await findExisting(
    database,
    "folders",
    items.map(({ folder_id }) => folder_id),
  );
  for (const item of items) {
    const isFolderGone = item.folder_id !== null && !folders.has(item.folder_id);
    const row = isFolderGone ? { ...item, folder_id: null, folder_changed_at: now } : item;
    try {
      await database.insertInto("items").values(row).execute();
    } catch (error) {
      throw isUniqueViolation(error)
        ? conflict(`The name "${item.name}" is taken, so nothing was restored. Rename that report and try again.`)
        : error;
    }
    await addToIndex(database, { ...item, workspaceId: item.workspace_id });
  }
}

async function insertTags(database: Database, itemTags: Snapshot["itemTags"]): Promise<void> {
  const tags = await findExisting(
    database,
    "tags",
    itemTags.map(({ tag_id }) => tag_id),
  );
  const rows = itemTags.filter(({ tag_id }) => tags.has(tag_id));
  const itemIds = [...new Set(rows.map(({ item_id }) => item_id))];
  await countingSubtreesOnce(database, itemIds, () =>
    inChunks(rows, async (chunk) => {
      await database.insertInto("item_tags").values(chunk).execute();
    }),
  );
}

/** Restores the shortcuts of users who are still members. */
async function insertShortcuts(
  database: Database,
  workspaceId: string,
  shortcuts: Snapshot["shortcuts"],
): Promise<void> {
  if (shortcuts.length === 0) return;
  const members = await database
    .selectFrom("memberships")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .execute();
  const userIds = new Set(members.map(({ user_id }) => user_id));
  const rows = shortcuts.filter(({ user_id }) => userIds.has(user_id));
  await inChunks(rows, async (chunk) => {
    await database
      .insertInto("shortcuts")
      .values(chunk)
      .onConflict((known) => known.columns(["user_id", "workspace_id", "kind", "ref"]).doNothing())
      .execute();
  });
}

async function findExisting(
  database: Database,
  table: "folders" | "tags",
  ids: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const requested = [...new Set(ids.filter((id) => id !== null))];
  const found = new Set<string>();
  await inChunks(requested, async (chunk) => {
    const rows = await database.selectFrom(table).select("id").where("id", "in", chunk).execute();
    for (const { id } of rows) found.add(id);
  });
  return found;
}

async function claimQuota(
  database: Database,
  { workspaceId, size, quota }: { workspaceId: string; size: number; quota: number },
): Promise<void> {
  const taken = await database
    .updateTable("workspaces")
    .set({ stored_bytes: sql`stored_bytes + ${size}` })
    .where("id", "=", workspaceId)
    .where("stored_bytes", "<=", quota - size)
    .executeTakeFirst();
  if (taken.numUpdatedRows === 0n) {
    throw quotaFull(
      "The workspace's storage quota is full, so nothing was restored. Delete other reports and try again.",
    );
  }
}

async function inChunks<Row>(rows: readonly Row[], use: (chunk: readonly Row[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) await use(rows.slice(start, start + ROWS_AT_ONCE));
}
