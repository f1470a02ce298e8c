import { type Insertable, sql } from "kysely";
import type { DeletionReason, Disposal, TrashBin } from "../../domain/trash/ports.ts";
import { engineOf } from "../engine/engine.ts";
import { insertRows } from "../engine/insert-rows.ts";
import { preparedOver, type Source } from "../engine/prepared.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { inChunks } from "./belongings.ts";
import { type ItemRow, keepVersions, type VersionRow } from "./snapshots.ts";

/** A deletion, whose entries have the IDs of the bin in their order. */
export interface Discarded extends Disposal {
  workspaceId: string;
  reason: DeletionReason;
}

type Binned = Discarded & { bin: TrashBin };

type DeletionRow = Insertable<Schema["deletions"]>;

function idAt({ bin }: Binned, position: number): string {
  const id = bin.ids[position];
  if (id === undefined) throw new Error("There are fewer IDs than entries for the trash.");
  return id;
}

/** Returns what all entries say about the deletion. */
const columnsOf = ({ workspaceId, userId, reason, now, bin }: Binned) => ({
  workspace_id: workspaceId,
  user_id: userId,
  expires_at: bin.expiresAt,
  batch_id: bin.batchId,
  reason,
  deleted_at: now,
});

interface ItemEntry {
  item: ItemRow;
  versions: readonly Pick<VersionRow, "code" | "size">[];
  snapshot: string;
}

/** Adds an entry for each report, with its versions, which are still in their table. */
export async function addItemEntries(
  database: Database,
  discarded: Binned,
  entries: readonly ItemEntry[],
): Promise<void> {
  const rows = entries.map(
    ({ item, versions, snapshot }, position): DeletionRow => ({
      ...columnsOf(discarded),
      id: idAt(discarded, position),
      snapshot,
      kind: "report",
      item_id: item.id,
      creator_id: item.creator_id,
      version_creator_id: null,
      name: item.name,
      code: item.current_code,
      title: item.title,
      version_no: null,
      versions: versions.length,
      size: versions.reduce((sum, { size }) => sum + size, 0),
    }),
  );
  await inChunks(rows, (chunk) => insertRows(database, "deletions", chunk));
  const kept = entries.flatMap(({ versions }, position) =>
    versions.map(({ code }) => [code, idAt(discarded, position)] as const),
  );
  await keepVersions(database, kept);
}

interface VersionEntry {
  code: string;
  snapshot: string;
}

/** Adds an entry for each version, which is still in its table. */
export async function addVersionEntries(
  database: Database,
  discarded: Binned,
  entries: readonly VersionEntry[],
): Promise<void> {
  const listed = entries.map(({ code, snapshot }, position) => [code, idAt(discarded, position), snapshot] as const);
  await insertVersionEntries(database, { ...columnsOf(discarded), entries: JSON.stringify(listed) });
  await keepVersions(
    database,
    listed.map(([code, id]) => [code, id]),
  );
}

type Given = ReturnType<typeof columnsOf> & { entries: string };

// The database takes from the rows what it has, because putting hundreds of entries together holds the event loop.
const insertVersionEntries = preparedOver((database, given: Source<Given>) => ({
  compile() {
    const columns = {
      workspace_id: sql`${given("workspace_id")}`,
      user_id: sql`${given("user_id")}`,
      expires_at: sql`cast(${given("expires_at")} as bigint)`,
      batch_id: sql`${given("batch_id")}`,
      reason: sql`${given("reason")}`,
      deleted_at: sql`cast(${given("deleted_at")} as bigint)`,
      id: sql`entry.value ->> 1`,
      snapshot: sql`entry.value ->> 2`,
      kind: sql.lit("version"),
      item_id: sql`items.id`,
      creator_id: sql`items.creator_id`,
      version_creator_id: sql`versions.creator_id`,
      name: sql`items.name`,
      code: sql`versions.code`,
      title: sql`versions.title`,
      version_no: sql`versions.version_no`,
      versions: sql.lit(1),
      size: sql`versions.size`,
    } satisfies Record<keyof DeletionRow, unknown>;
    return sql`insert into deletions (${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})
      select ${sql.join(Object.values(columns))}
      from ${engineOf(database).rowsOf(given("entries"))} as entry
      inner join versions on versions.code = entry.value ->> 0
      inner join items on items.id = versions.item_id`.compile(database);
  },
}));
