import { sql } from "kysely";
import type { Renaming } from "../../domain/cabinet/ports.ts";
import type { Authorized } from "../../domain/model/access.ts";
import { idNotFound } from "../../domain/model/common-failures.ts";
import type { Instant, Membership } from "../../domain/model/entities.ts";
import { invalid } from "../../domain/model/failure.ts";
import { engineOf } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { titleColumns } from "./cabinet.ts";
import { pausingSubtreeCounts } from "./subtree-counts.ts";

type Cabinets = Authorized<"modify", readonly string[]>;

/** Tags deleted by one statement, whose parameters are limited. */
const BATCH = 500;

/** An arbitrary number, the same in all replicas. */
const TITLE_LOCK = 7_140_025;

const tagNotFound = (id: string) => idNotFound("Tag", id);

/**
 * Adds a tag and returns its id, or the id of the oldest tag with this title at this place, ignoring case. Locks the
 * title, so that concurrent calls add one tag. A constraint can't: renaming and moving may repeat a title.
 */
export async function addTag(
  database: Database,
  tag: {
    workspace: Authorized<"modify", Membership>;
    id: string;
    parentId: string | null;
    title: string;
    now: Instant;
  },
): Promise<string> {
  const { workspace, id, parentId, title, now } = tag;
  if (parentId !== null) await requireParent(database, workspace.id, parentId);
  await lockTitle(database, workspace.id, title);
  const existing = await findTitled(database, workspace.id, parentId, title);
  if (existing !== undefined) return existing;
  await database
    .insertInto("tags")
    .values({ id, workspace_id: workspace.id, parent_id: parentId, ...titleColumns(title), created_at: now })
    .execute();
  return id;
}

/** SQLite has one writer at a time. */
async function lockTitle(database: Database, workspaceId: string, title: string): Promise<void> {
  if (engineOf(database).name !== "postgres") return;
  const key = `${workspaceId} ${titleColumns(title).search_title}`;
  await sql`select pg_advisory_xact_lock(${TITLE_LOCK}, hashtext(${key}))`.execute(database);
}

async function findTitled(database: Database, workspaceId: string, parentId: string | null, title: string) {
  const found = await database
    .selectFrom("tags")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "is not distinct from", parentId)
    .where("search_title", "=", titleColumns(title).search_title)
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();
  return found?.id;
}

async function requireParent(database: Database, workspaceId: string, id: string): Promise<void> {
  const parent = await database
    .selectFrom("tags")
    .select("id")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (parent === undefined) throw idNotFound("Parent tag", id);
}

export async function renameTag(database: Database, { cabinets, id, title }: Renaming): Promise<string> {
  const renamed = await database
    .updateTable("tags")
    .set(titleColumns(title))
    .where("id", "=", id)
    .where("workspace_id", "in", cabinets)
    .returning("workspace_id")
    .executeTakeFirst();
  if (renamed === undefined) throw tagNotFound(id);
  return renamed.workspace_id;
}

export async function moveTag(
  database: Database,
  { cabinets, id, parentId }: { cabinets: Cabinets; id: string; parentId: string | null },
): Promise<string> {
  await lockTagged(database, cabinets, id);
  const workspaceId = await lockTree(database, cabinets, id);
  if (parentId !== null) {
    await requireParent(database, workspaceId, parentId);
    if (await isWithin(database, parentId, id)) {
      throw invalid("parent_id can't be the tag itself or one of its descendants. Choose another parent.");
    }
  }
  const moved = await database.updateTable("tags").set({ parent_id: parentId }).where("id", "=", id).executeTakeFirst();
  if (moved.numUpdatedRows === 0n) throw tagNotFound(id);
  return workspaceId;
}

/**
 * Locks the workspace of a tag, so that only one call at a time changes the tree: two concurrent moves, each valid,
 * could together create a cycle.
 */
async function lockTree(database: Database, cabinets: Cabinets, tagId: string): Promise<string> {
  if (engineOf(database).name === "postgres") {
    // Before the workspace, because others have tagged and then change the quota.
    await sql`select exclude_tagging(workspace_id) from tags
      where id = ${tagId} and workspace_id = any(${[...cabinets]}::text[])`.execute(database);
  }
  const tag = await database
    .selectFrom("tags")
    .innerJoin("workspaces", "workspaces.id", "tags.workspace_id")
    .select("tags.workspace_id")
    .where("tags.id", "=", tagId)
    .where("tags.workspace_id", "in", cabinets)
    .forNoKeyUpdate("workspaces")
    .executeTakeFirst();
  if (tag === undefined) throw tagNotFound(tagId);
  return tag.workspace_id;
}

/** Returns whether a tag is the other tag or one of its descendants. */
async function isWithin(database: Database, id: string, topId: string): Promise<boolean> {
  const found = await database
    .withRecursive("above", (query) =>
      query
        .selectFrom("tags")
        .select(["id", "parent_id"])
        .where("id", "=", id)
        .union(
          query
            .selectFrom("above")
            .innerJoin("tags", "tags.id", "above.parent_id")
            .select(["tags.id", "tags.parent_id"]),
        ),
    )
    .selectFrom("above")
    .select("id")
    .where("id", "=", topId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Selects a tag of the workspaces with its descendants. */
const withSubtree = (database: Database, cabinets: Cabinets, id: string) =>
  database.withRecursive("below", (query) =>
    query
      .selectFrom("tags")
      .select("id")
      .where("id", "=", id)
      .where("workspace_id", "in", cabinets)
      .union(query.selectFrom("below").innerJoin("tags", "tags.parent_id", "below.id").select("tags.id")),
  );

/** Locks the items that have a tag or one of its descendants, because they are locked before the workspace. */
async function lockTagged(database: Database, cabinets: Cabinets, id: string): Promise<void> {
  await withSubtree(database, cabinets, id)
    .selectFrom((query) =>
      query
        .selectFrom("items")
        .select("items.id")
        .where("items.id", "in", (pairs) =>
          pairs.selectFrom("item_tags").innerJoin("below", "below.id", "item_tags.tag_id").select("item_id"),
        )
        .orderBy("items.id")
        .forNoKeyUpdate()
        .as("locked"),
    )
    .select(({ fn }) => fn.countAll().as("count"))
    .execute();
}

/**
 * Deletes a tag with its descendants and returns how many tags were deleted. Unlinks the tags from their parents first,
 * because the database's cascade fails on very deep trees.
 */
export async function deleteTag(
  database: Database,
  { cabinets, id }: { cabinets: Cabinets; id: string },
): Promise<{ workspaceId: string; count: number }> {
  await lockTagged(database, cabinets, id);
  const workspaceId = await lockTree(database, cabinets, id);
  if (engineOf(database).name === "sqlite") await untagAtOnce(database, cabinets, id);
  const unlinked = await withSubtree(database, cabinets, id)
    .updateTable("tags")
    .set({ parent_id: null })
    .where("id", "in", (query) => query.selectFrom("below").select("below.id"))
    .returning("id")
    .execute();
  if (unlinked.length === 0) throw tagNotFound(id);
  const ids = unlinked.map((tag) => tag.id);
  for (let start = 0; start < ids.length; start += BATCH) {
    await database
      .deleteFrom("tags")
      .where("id", "in", ids.slice(start, start + BATCH))
      .execute();
  }
  return { workspaceId, count: ids.length };
}

/**
 * Removes a tag and its descendants from all items. First takes them out of the tree, which SQLite counts at once. Then their
 * own counts go, whatever the items are.
 */
async function untagAtOnce(database: Database, cabinets: Cabinets, id: string): Promise<void> {
  await database
    .updateTable("tags")
    .set({ parent_id: null })
    .where("id", "=", id)
    .where("workspace_id", "in", cabinets)
    .execute();
  await pausingSubtreeCounts(database, () =>
    withSubtree(database, cabinets, id)
      .deleteFrom("item_tags")
      .where("tag_id", "in", (query) => query.selectFrom("below").select("below.id"))
      .execute(),
  );
  await sql`
    with recursive below (id) as (
      select ${id} union select tags.id from below join tags on tags.parent_id = below.id
    )
    delete from item_counts where kind = 'subtree' and place in (select id from below)
      and workspace_id in (select workspace_id from tags where id = ${id})`.execute(database);
}
