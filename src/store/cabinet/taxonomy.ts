import { sql } from "kysely";
import type { CountedDrawer, CountedFolder, ReadTaxonomy } from "../../domain/cabinet/ports.ts";
import { governs } from "../../domain/model/access.ts";
import type { Reader } from "../../domain/model/entities.ts";
import type { Engine } from "../engine/engine.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { byTitle } from "../model/rows.ts";

interface ReaderScope {
  workspaceId: string;
  reader: Reader;
}

type Count = "folder" | "tag" | "subtree";

/** A drawer, folder or tag, the default folder, or a count of the items in a place. */
interface CabinetRow {
  kind: "drawer" | "folder" | "tag" | "default" | `${Count | "tagged" | "change"} count`;
  id: string | null;
  title: string;
  search_title: string;
  /** The drawer of a folder, or the parent of a tag. */
  above_id: string | null;
  count: number;
}

const selectChanges = prepared((database, workspaceId: string) =>
  database
    .selectFrom("current_item_counts")
    .select(sql<number | null>`cast(sum(count) as bigint)`.as("changes"))
    .where("workspace_id", "=", workspaceId)
    .where("reader", "=", sql.lit(""))
    .where("kind", "=", sql.lit("change")),
);

/** Returns how often a workspace's cabinet or counts have changed. */
export async function countCabinetChanges(database: Database, workspaceId: string): Promise<number> {
  const [row] = await selectChanges(database, workspaceId);
  return row?.changes ?? 0;
}

/**
 * Returns a workspace's drawers, folders and tags with counts of the reports that the reader may read. A single statement
 * reads one state of the database.
 */
export async function readTaxonomy(database: Database, _: Engine, scope: ReaderScope): Promise<ReadTaxonomy> {
  const { rows } = await selectCabinet(scope).execute(database);
  const cabinet = Map.groupBy(rows, ({ kind }) => kind);
  const rowsOf = (kind: CabinetRow["kind"]) => cabinet.get(kind) ?? [];
  const counts = (kind: Count) => new Map(rowsOf(`${kind} count`).map(({ id, count }) => [id, count]));
  const total = (kind: CabinetRow["kind"]) => rowsOf(kind).reduce((sum, { count }) => sum + count, 0);
  const [inFolders, withTags, inSubtrees] = [counts("folder"), counts("tag"), counts("subtree")];
  const itemCount = total("folder count");
  const folders = rowsOf("folder")
    .sort(byTitle)
    .map((row) => ({ ...toCounted(row, inFolders), drawerId: row.above_id }));
  return {
    changes: total("change count"),
    drawers: toDrawers(rowsOf("drawer"), folders),
    folders,
    tags: rowsOf("tag")
      .sort(byTitle)
      .map((row) => ({
        ...toCounted(row, withTags),
        subtreeCount: inSubtrees.get(row.id) ?? 0,
        parentId: row.above_id,
      })),
    defaultFolderId: rowsOf("default")[0]?.id ?? null,
    itemCount,
    unfiledCount: inFolders.get("") ?? 0,
    untaggedCount: itemCount - total("tagged count"),
  };
}

/** Selects the cabinet and, separately, the counts, because joining them takes longer. */
const selectCabinet = ({ workspaceId, reader }: ReaderScope) => sql<CabinetRow>`
  select 'drawer' as kind, id, title, search_title, cast(null as text) as above_id, 0 as count
  from drawers where workspace_id = ${workspaceId}
  union all
  select 'folder', id, title, search_title, drawer_id, 0 from folders where workspace_id = ${workspaceId}
  union all
  select 'tag', id, title, search_title, parent_id, 0 from tags where workspace_id = ${workspaceId}
  union all
  select 'default', default_folder_id, '', '', null, 0 from workspaces where id = ${workspaceId}
  union all
  select kind || ' count', place, '', '', null, cast(sum(count) as bigint) from current_item_counts
  where workspace_id = ${workspaceId} and reader in (${sql.join([...readersOf(reader), ""])})
  group by kind, place`;

/** Returns the readers whose counts add up to those of a reader. */
const readersOf = (reader: Reader) => (governs(reader) ? ["owners"] : ["members", reader.userId]);

const toCounted = ({ id, title }: CabinetRow, counts: ReadonlyMap<string | null, number>) => ({
  id: id ?? "",
  title,
  itemCount: counts.get(id) ?? 0,
});

function toDrawers(rows: CabinetRow[], folders: readonly CountedFolder[]): CountedDrawer[] {
  const counts = new Map<string | null, number>();
  for (const { drawerId, itemCount } of folders) counts.set(drawerId, (counts.get(drawerId) ?? 0) + itemCount);
  return rows.sort(byTitle).map((row) => toCounted(row, counts));
}
