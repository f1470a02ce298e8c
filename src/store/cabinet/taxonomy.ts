import { sql } from "kysely";
import type { CountedDrawer, CountedFolder, CountedTag, Taxonomy } from "../../domain/cabinet/ports.ts";
import { governs } from "../../domain/model/access.ts";
import type { Reader } from "../../domain/model/entities.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { readableItem } from "../model/readable.ts";
import { byTitle } from "../model/rows.ts";

interface ReaderScope {
  workspaceId: string;
  reader: Reader;
}

/** A drawer, a folder, or the totals of the workspace with the id of its default folder. */
interface CabinetRow {
  kind: "drawer" | "folder" | "totals";
  id: string | null;
  title: string;
  search_title: string;
  drawer_id: string | null;
  items: number;
  tagged: number;
}

/**
 * Returns a workspace's drawers, folders and tags with counts of the reports that the reader may read. Runs two
 * statements, which need no common snapshot, in parallel if the engine has several connections.
 */
export async function readTaxonomy(database: Database, _: Engine, scope: ReaderScope): Promise<Taxonomy> {
  const isMember = !governs(scope.reader);
  const [rows, tags] = await Promise.all([
    isMember ? readCabinetOfMember(database, scope) : readCabinet(database, scope.workspaceId),
    isMember ? readTagsOfMember(database, scope) : readTags(database, scope.workspaceId),
  ]);
  return { ...arrange(rows.sort(byTitle)), tags: tags.sort(byTitle).map(toTag) };
}

function arrange(rows: readonly CabinetRow[]): Omit<Taxonomy, "tags"> {
  const drawers = new Map<string | null, CountedDrawer>();
  const folders: CountedFolder[] = [];
  let totals: Pick<CabinetRow, "id" | "items" | "tagged"> = { id: null, items: 0, tagged: 0 };
  for (const row of rows) {
    const { kind, title, drawer_id: drawerId, items: itemCount } = row;
    const id = row.id ?? "";
    if (kind === "totals") totals = row;
    else if (kind === "drawer") drawers.set(id, { id, title, itemCount: 0 });
    else folders.push({ id, title, drawerId, itemCount });
  }
  for (const { drawerId, itemCount } of folders) {
    const drawer = drawers.get(drawerId);
    if (drawer !== undefined) drawer.itemCount += itemCount;
  }
  return {
    drawers: [...drawers.values()],
    folders,
    defaultFolderId: totals.id,
    itemCount: totals.items,
    unfiledCount: totals.items - folders.reduce((sum, folder) => sum + folder.itemCount, 0),
    untaggedCount: totals.items - totals.tagged,
  };
}

interface TagRow {
  id: string;
  title: string;
  search_title: string;
  parent_id: string | null;
  items: number;
}

const toTag = ({ id, title, parent_id: parentId, items }: TagRow): CountedTag => ({
  id,
  title,
  parentId,
  itemCount: items,
});

/** Reads the cabinet for an owner or admin, who may read every report, so indexes alone give the counts. */
async function readCabinet(database: Database, workspaceId: string): Promise<CabinetRow[]> {
  const { rows } = await sql<CabinetRow>`
    select 'drawer' as kind, id, title, search_title, cast(null as text) as drawer_id, 0 as items, 0 as tagged
    from drawers where workspace_id = ${workspaceId}
    union all
    select 'folder', id, title, search_title, drawer_id,
      (select count(*) from items where items.folder_id = folders.id), 0
    from folders where workspace_id = ${workspaceId}
    union all
    select 'totals', default_folder_id, '', '', null,
      (select count(*) from items where workspace_id = ${workspaceId}),
      (select count(*) from (${taggedItems(workspaceId)}) as tagged_items)
    from workspaces where id = ${workspaceId}`.execute(database);
  return rows;
}

/** Selects the tagged items. The order and limit make PostgreSQL walk the index instead of hashing all rows. */
const taggedItems = (workspaceId: string) => sql`
  select item_id from item_tags where workspace_id = ${workspaceId}
  group by item_id order by item_id limit 9000000000`;

/** Reads the cabinet for a member. Each item's visibility matters, so one pass over the items counts them all. */
async function readCabinetOfMember(database: Database, { workspaceId, reader }: ReaderScope): Promise<CabinetRow[]> {
  const { rows } = await sql<CabinetRow>`
    with counts as (
      select folder_id, count(*) as items,
        sum(case when exists (select 1 from item_tags where item_tags.item_id = items.id) then 1 else 0 end) as tagged
      from items where workspace_id = ${workspaceId} and ${readableItem(reader)}
      group by folder_id)
    select 'drawer' as kind, id, title, search_title, cast(null as text) as drawer_id, 0 as items, 0 as tagged
    from drawers where workspace_id = ${workspaceId}
    union all
    select 'folder', id, title, search_title, drawer_id, coalesce(counts.items, 0), 0
    from folders left join counts on counts.folder_id = folders.id where workspace_id = ${workspaceId}
    union all
    select 'totals', default_folder_id, '', '', null,
      (select cast(coalesce(sum(items), 0) as bigint) from counts),
      (select cast(coalesce(sum(tagged), 0) as bigint) from counts)
    from workspaces where id = ${workspaceId}`.execute(database);
  return rows;
}

async function readTags(database: Database, workspaceId: string): Promise<TagRow[]> {
  const { rows } = await sql<TagRow>`
    select id, title, search_title, parent_id,
      (select count(*) from item_tags where item_tags.tag_id = tags.id) as items
    from tags where workspace_id = ${workspaceId}`.execute(database);
  return rows;
}

/** Reads the tags for a member. Counts by item instead of by tag, which would read the items in random order. */
async function readTagsOfMember(database: Database, { workspaceId, reader }: ReaderScope): Promise<TagRow[]> {
  const { rows } = await sql<TagRow>`
    select id, title, search_title, parent_id, coalesce(counts.items, 0) as items
    from tags left join (
      select item_tags.tag_id, count(*) as items
      from item_tags join items on items.id = item_tags.item_id
      where item_tags.workspace_id = ${workspaceId} and ${readableItem(reader)}
      group by item_tags.tag_id) as counts on counts.tag_id = tags.id
    where workspace_id = ${workspaceId}`.execute(database);
  return rows;
}
