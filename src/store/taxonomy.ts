import { sql } from "kysely";
import type { CountedDrawer, CountedFolder, CountedTag, Taxonomy } from "../domain/cabinet-ports.ts";
import type { Reader } from "../domain/model.ts";
import { readableItem } from "./readable.ts";
import { byTitle } from "./rows.ts";
import type { Database } from "./schema.ts";

interface Seen {
  workspaceId: string;
  reader: Reader;
}

/**
 * Counts are read from the data. There are two statements, each of which is right by itself, so that they run beside
 * each other where there is more than one connection.
 */
export async function readTaxonomy(database: Database, seen: Seen): Promise<Taxonomy> {
  const [rows, tags] = await Promise.all([readCabinet(database, seen), readTags(database, seen)]);
  const drawers = new Map<string | null, CountedDrawer>();
  const folders: CountedFolder[] = [];
  const totals = { defaultFolderId: null as string | null, itemCount: 0, taggedCount: 0 };
  for (const { kind, id, title, drawer_id, items, tagged } of rows) {
    if (kind === "totals") Object.assign(totals, { defaultFolderId: id, itemCount: items, taggedCount: tagged });
    else if (kind === "drawer") drawers.set(id, { id: id ?? "", title, itemCount: 0 });
    else folders.push({ id: id ?? "", title, drawerId: drawer_id, itemCount: items });
  }
  for (const { drawerId, itemCount } of folders) {
    const drawer = drawers.get(drawerId);
    if (drawer !== undefined) drawer.itemCount += itemCount;
  }
  const { defaultFolderId, itemCount, taggedCount } = totals;
  return {
    drawers: [...drawers.values()],
    folders,
    tags,
    defaultFolderId,
    itemCount,
    unfiledCount: itemCount - folders.reduce((sum, folder) => sum + folder.itemCount, 0),
    untaggedCount: itemCount - taggedCount,
  };
}

/** Drawers, folders and the workspace's totals. */
async function readCabinet(database: Database, seen: Seen) {
  const { workspaceId } = seen;
  const nobody = sql<string | null>`cast(null as text)`;
  const none = sql<number>`0`;
  const drawers = database
    .selectFrom("drawers")
    .select([
      sql<"drawer" | "folder" | "totals">`'drawer'`.as("kind"),
      sql<string | null>`id`.as("id"),
      "title",
      "search_title",
      nobody.as("drawer_id"),
      none.as("items"),
      none.as("tagged"),
    ])
    .where("workspace_id", "=", workspaceId);
  const folders = database
    .selectFrom("folders")
    .select([
      sql<"drawer" | "folder" | "totals">`'folder'`.as("kind"),
      sql<string | null>`id`.as("id"),
      "title",
      "search_title",
      "drawer_id",
      countReadable(database, seen)
        .where("items.folder_id", "=", sql.ref("folders.id"))
        .$asScalar()
        .$notNull()
        .as("items"),
      none.as("tagged"),
    ])
    .where("workspace_id", "=", workspaceId);
  const totals = database
    .selectFrom("workspaces")
    .select([
      sql<"drawer" | "folder" | "totals">`'totals'`.as("kind"),
      "default_folder_id as id",
      sql<string>`''`.as("title"),
      sql<string>`''`.as("search_title"),
      nobody.as("drawer_id"),
      countReadable(database, seen).where("items.workspace_id", "=", workspaceId).$asScalar().$notNull().as("items"),
      countTagged(database, seen).$asScalar().$notNull().as("tagged"),
    ])
    .where("id", "=", workspaceId);
  return (await drawers.unionAll(folders).unionAll(totals).execute()).sort(byTitle);
}

const countReadable = (database: Database, { reader }: Seen) =>
  database
    .selectFrom("items")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(readableItem(reader));

/** Those of an owner or admin need no look at the items. */
function countTagged(database: Database, seen: Seen) {
  const { workspaceId, reader } = seen;
  if (reader.role === "member") {
    return countReadable(database, seen)
      .where("items.workspace_id", "=", workspaceId)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom("item_tags").select("tag_id").whereRef("item_tags.item_id", "=", "items.id")),
      );
  }
  const tagged = database
    .selectFrom("item_tags")
    .select("item_id")
    .where("workspace_id", "=", workspaceId)
    .groupBy("item_id")
    // PostgreSQL would hash them all instead of walking along the index that has them in this order.
    .orderBy("item_id")
    .limit(sql<number>`9000000000`);
  return database.selectFrom(tagged.as("tagged")).select(({ fn }) => fn.countAll<number>().as("count"));
}

async function readTags(database: Database, seen: Seen): Promise<CountedTag[]> {
  const { workspaceId, reader } = seen;
  const rows =
    reader.role === "member"
      ? await selectTagsOfMember(database, seen)
      : await database
          .selectFrom("tags")
          .select((select) => [
            "id",
            "title",
            "search_title",
            "parent_id as parentId",
            select
              .selectFrom("item_tags")
              .select(({ fn }) => fn.countAll<number>().as("count"))
              .whereRef("item_tags.tag_id", "=", "tags.id")
              .$asScalar()
              .$notNull()
              .as("items"),
          ])
          .where("workspace_id", "=", workspaceId)
          .execute();
  return rows.sort(byTitle).map(({ id, title, parentId, items }) => ({ id, title, parentId, itemCount: items }));
}

/** Counts by item and not by tag: a member's items have to be looked at, which goes best in their order. */
async function selectTagsOfMember(database: Database, { workspaceId, reader }: Seen) {
  const counts = database
    .selectFrom("item_tags")
    .innerJoin("items", "items.id", "item_tags.item_id")
    .select(({ fn }) => ["item_tags.tag_id", fn.countAll<number>().as("count")])
    .where("item_tags.workspace_id", "=", workspaceId)
    .where(readableItem(reader))
    .groupBy("item_tags.tag_id");
  return database
    .selectFrom("tags")
    .leftJoin(counts.as("counts"), "counts.tag_id", "tags.id")
    .select(({ fn, val }) => [
      "tags.id",
      "tags.title",
      "tags.search_title",
      "tags.parent_id as parentId",
      fn.coalesce("counts.count", val(0)).as("items"),
    ])
    .where("tags.workspace_id", "=", workspaceId)
    .execute();
}
