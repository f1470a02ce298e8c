import type { BatchOutcome, FiledItem, TaggedItem, TagMode } from "../../domain/cabinet/ports.ts";
import type { Authorized, ItemBatch } from "../../domain/model/access.ts";
import type { Instant } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";
import { readableItem } from "../model/readable.ts";
import { hasFolder } from "./cabinet.ts";
import { countingSubtreesOnce } from "./subtree-counts.ts";

/**
 * Locks the rows of items and returns them, with the first item that no longer exists or that the reader may
 * no longer read.
 */
export async function claimItems(database: Database, { workspaceId, reader, itemIds }: ItemBatch) {
  const rows = await database
    .selectFrom("items")
    .select(["id", "folder_id", "workspace_id", "visibility", "organization_id"])
    // The workspace is checked below: as a condition here, it would make SQLite scan all items of the workspace.
    .where("id", "in", itemIds)
    .where(readableItem(reader))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  const own = rows.filter((row) => row.workspace_id === workspaceId);
  const claimed = new Map(own.map((row) => [row.id, row]));
  return { claimed, missing: itemIds.find((id) => !claimed.has(id)) };
}

/** Moves items to a folder. Only items whose folder changes get a new `folder_changed_at`. */
export async function fileItems(
  database: Database,
  { batch, folderId, now }: { batch: Authorized<"modify", ItemBatch>; folderId: string | null; now: Instant },
): Promise<BatchOutcome<FiledItem>> {
  const { claimed, missing } = await claimItems(database, batch);
  if (missing !== undefined) return { kind: "noItem", itemId: missing };
  if (folderId !== null && !(await hasFolder(database, batch.workspaceId, folderId))) return { kind: "noFolder" };
  const changed = batch.itemIds
    .map((itemId) => ({ itemId, from: claimed.get(itemId)?.folder_id ?? null }))
    .filter(({ from }) => from !== folderId);
  if (changed.length > 0) {
    const changedIds = changed.map(({ itemId }) => itemId);
    await database
      .updateTable("items")
      .set({ folder_id: folderId, folder_changed_at: now })
      .where("id", "in", changedIds)
      .execute();
  }
  return { kind: "done", changed };
}

export async function tagItems(
  database: Database,
  { batch, mode, tagIds }: { batch: Authorized<"modify", ItemBatch>; mode: TagMode; tagIds: readonly string[] },
): Promise<BatchOutcome<TaggedItem>> {
  const { missing } = await claimItems(database, batch);
  if (missing !== undefined) return { kind: "noItem", itemId: missing };
  const unknown = await findUnknownTag(database, batch.workspaceId, tagIds);
  if (unknown !== undefined) return { kind: "noTag", tagId: unknown };
  return countingSubtreesOnce(database, batch.itemIds, async () => {
    // Attach first: that locks the tags against deletion by other transactions.
    const attached = mode === "remove" ? [] : await attach(database, batch, tagIds);
    const detached = mode === "add" ? [] : await detach(database, batch, tagIds, mode);
    return { kind: "done", changed: groupByItem(attached, detached) };
  });
}

interface Pair {
  item_id: number;
  tag_id: string;
}

function groupByItem(attached: readonly Pair[], detached: readonly Pair[]): TaggedItem[] {
  const [gained, lost] = [attached, detached].map((pairs) => Map.groupBy(pairs, ({ item_id }) => item_id));
  const tagsOf = (pairs: Map<number, Pair[]> | undefined, itemId: number) =>
    (pairs?.get(itemId) ?? []).map(({ tag_id }) => tag_id);
  return [...new Set([...attached, ...detached].map(({ item_id }) => item_id))].map((itemId) => ({
    itemId,
    attached: tagsOf(gained, itemId),
    detached: tagsOf(lost, itemId),
  }));
}

async function findUnknownTag(database: Database, workspaceId: string, tagIds: readonly string[]) {
  if (tagIds.length === 0) return undefined;
  const rows = await database.selectFrom("tags").select(["id", "workspace_id"]).where("id", "in", tagIds).execute();
  const known = new Set(rows.filter((row) => row.workspace_id === workspaceId).map(({ id }) => id));
  return tagIds.find((id) => !known.has(id));
}

async function attach(database: Database, batch: ItemBatch, tagIds: readonly string[]): Promise<Pair[]> {
  if (tagIds.length === 0) return [];
  return database
    .insertInto("item_tags")
    .columns(["item_id", "tag_id", "workspace_id"])
    .expression((query) =>
      query
        .selectFrom("items")
        .innerJoin("tags", (join) => join.onTrue())
        .select(["items.id as item_id", "tags.id as tag_id", "items.workspace_id"])
        .where("items.id", "in", batch.itemIds)
        .where("tags.id", "in", tagIds),
    )
    .onConflict((taken) => taken.columns(["item_id", "tag_id"]).doNothing())
    .returning(["item_id", "tag_id"])
    .execute();
}

/** Removes the given tags from the items, or with `set`, all other tags. */
async function detach(
  database: Database,
  { itemIds }: ItemBatch,
  tagIds: readonly string[],
  mode: "remove" | "set",
): Promise<Pair[]> {
  if (tagIds.length === 0 && mode === "remove") return [];
  return database
    .deleteFrom("item_tags")
    .where("item_id", "in", itemIds)
    .$if(tagIds.length > 0, (query) => query.where("tag_id", mode === "remove" ? "in" : "not in", tagIds))
    .returning(["item_id", "tag_id"])
    .execute();
}
