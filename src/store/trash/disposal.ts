import { type Insertable, sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { DeletionReason, Disposal, DisposedItems, TrashBin } from "../../domain/trash/ports.ts";
import { countingSubtreesOnce } from "../cabinet/subtree-counts.ts";
import { engineOf } from "../engine/engine.ts";
import { insertRows } from "../engine/insert-rows.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { bigInteger } from "../model/rows.ts";
import { removeItems, removeVersions } from "../reports/deletion.ts";
import { withholdThreads } from "../reviews/withhold.ts";
import { belongingsOf, inChunks, readBelongings, removeBelongings } from "./belongings.ts";
import { evictOldest } from "./purge.ts";
import { findShortcuts, removeShortcuts, shortcutsOf } from "./shortcuts.ts";
import { encodeSnapshot, type ItemRow, keepVersions, type VersionRow } from "./snapshots.ts";

interface Discarded extends Disposal {
  workspaceId: string;
  reason: DeletionReason;
}

/** Moves locked items with all their versions to the trash, or deletes them permanently. Returns the versions' codes. */
export async function disposeOfItems(
  database: Database,
  discarded: Discarded & { itemIds: readonly number[] },
): Promise<DisposedItems> {
  const { workspaceId, itemIds, bin } = discarded;
  const items = await database.selectFrom("items").selectAll().where("id", "in", itemIds).orderBy("id").execute();
  const versions = await database
    .selectFrom("versions")
    .select(["code", "item_id", "size"])
    .where("item_id", "in", itemIds)
    .execute();
  const codes = versions.map(({ code }) => code);
  const shortcuts = await findShortcuts(database, workspaceId, items, versions);
  if (bin !== undefined) {
    const belongings = await readBelongings(database, { itemIds, codes });
    const byItem = Map.groupBy(versions, ({ item_id }) => item_id);
    const entries = items.map((item, position) => {
      const own = byItem.get(item.id) ?? [];
      const snapshot = encodeSnapshot({
        items: [item],
        shortcuts: shortcutsOf(shortcuts, item, own),
        belongings: belongingsOf(belongings, { itemIds: [item.id], codes: own.map(({ code }) => code) }),
      });
      return {
        ...entryRow(discarded, bin, position),
        ...describeItem(item, own),
        snapshot,
        codes: own.map(({ code }) => code),
      };
    });
    await keep(database, entries);
  }
  await removeShortcuts(database, shortcuts);
  await countingSubtreesOnce(database, itemIds, () => removeBelongings(database, { itemIds, codes }));
  await removeItems(database, { workspaceId, itemIds });
  await retire(database, codes, discarded);
  const purged = bin === undefined ? codes : await evictOldest(database, workspaceId, bin.allowance);
  return { itemIds: [...itemIds], codes, purged };
}

/** What the trash says about a version, apart from its row. */
export const DESCRIBED = [
  "code",
  "creator_id",
  "item_id",
  "organization_id",
  "size",
  "title",
  "version_no",
  "visibility",
] as const;
export type DescribedVersion = Pick<VersionRow, (typeof DESCRIBED)[number]>;

/** A version with its report, and the version that becomes current instead of it, if it is current. */
export interface DiscardedVersion {
  item: Pick<ItemRow, "id" | "name" | "creator_id" | "visibility" | "organization_id">;
  version: DescribedVersion;
  succeededBy: string | undefined;
}

/** Moves versions of locked items to the trash, or deletes them permanently. The items keep other versions. */
export async function disposeOfVersions(
  database: Database,
  { discarded, versions }: { discarded: Discarded; versions: readonly DiscardedVersion[] },
): Promise<DisposedItems> {
  const { workspaceId, bin } = discarded;
  const codes = versions.map(({ version }) => version.code);
  const owners = { itemIds: [], codes };
  if (bin !== undefined) {
    const belongings = await readBelongings(database, owners);
    const entries = versions.map(({ item, version, succeededBy }, position) => ({
      ...entryRow(discarded, bin, position),
      ...describeVersion(item, version),
      snapshot: encodeSnapshot({
        items: [],
        shortcuts: [],
        belongings: belongingsOf(belongings, { itemIds: [], codes: [version.code] }),
        version: { reportVisibility: item.visibility, reportOrganization: item.organization_id, succeededBy },
      }),
      codes: [version.code],
    }));
    await keep(database, entries);
  }
  await removeBelongings(database, owners);
  await withholdThreads(database, versions);
  await removeVersions(
    database,
    workspaceId,
    versions.map(({ version }) => version),
  );
  await retire(database, codes, discarded);
  const purged = bin === undefined ? codes : await evictOldest(database, workspaceId, bin.allowance);
  return { itemIds: [...new Set(versions.map(({ item }) => item.id))], codes, purged };
}

type DeletionRow = Insertable<Schema["deletions"]>;

/** Returns what the entry at a position says about the deletion. */
function entryRow({ workspaceId, userId, reason, now }: Discarded, bin: TrashBin, position: number) {
  const id = bin.ids[position];
  if (id === undefined) throw new Error("There are fewer IDs than entries for the trash.");
  return {
    id,
    workspace_id: workspaceId,
    user_id: userId,
    expires_at: bin.expiresAt,
    batch_id: bin.batchId,
    reason,
    deleted_at: now,
  };
}

type Sized = Pick<VersionRow, "size">;

const sizeOf = (versions: readonly Sized[]) => versions.reduce((sum, { size }) => sum + size, 0);

const describeItem = (item: ItemRow, versions: readonly Sized[]) => ({
  kind: "report" as const,
  item_id: item.id,
  creator_id: item.creator_id,
  version_creator_id: null,
  name: item.name,
  code: item.current_code,
  title: item.title,
  version_no: null,
  versions: versions.length,
  size: sizeOf(versions),
});

const describeVersion = (item: DiscardedVersion["item"], version: DescribedVersion) => ({
  kind: "version" as const,
  item_id: item.id,
  creator_id: item.creator_id,
  version_creator_id: version.creator_id,
  name: item.name,
  code: version.code,
  title: version.title,
  version_no: version.version_no,
  versions: 1,
  size: version.size,
});

/** Adds entries with their versions. */
async function keep(database: Database, entries: readonly (DeletionRow & { codes: readonly string[] })[]) {
  await inChunks(entries, async (chunk) => {
    const rows = chunk.map(({ codes: _, ...row }): DeletionRow => row);
    await insertRows(database, "deletions", rows);
  });
  await keepVersions(
    database,
    entries.flatMap(({ id, codes }) => codes.map((code) => [code, id] as const)),
  );
}

const retireKept = prepared((database, now: Instant, codes: string) =>
  database
    .insertInto("retired_codes")
    .columns(["code", "retired_at", "deletion_id"])
    .expression((kept) =>
      kept
        .selectFrom("trashed_versions")
        .select(["code", bigInteger(now).as("retired_at"), "deletion_id"])
        .where(({ ref }) => engineOf(database).isInTextList(ref("code"), codes)),
    ),
);

/** Marks codes as used forever. Those in the trash keep their objects until their deletion is gone. */
async function retire(database: Database, codes: readonly string[], { bin, now }: Disposal): Promise<void> {
  if (bin === undefined) {
    const rows = codes.map((code) => ({ code, retired_at: now, swept_at: null, deletion_id: null }));
    return inChunks(rows, (chunk) => insertRows(database, "retired_codes", chunk));
  }
  await retireKept(database, now, JSON.stringify(codes));
}

/** Returns an item that is protected, or has a protected version. */
export async function findProtected(database: Database, itemIds: readonly number[]) {
  const found = await database
    .selectFrom("items")
    .leftJoin("versions", (join) =>
      join.onRef("versions.item_id", "=", "items.id").on("versions.protected_at", "is not", null),
    )
    .select([
      "items.id as itemId",
      "items.name",
      sql<number | null>`case when items.protected_at is null
      then versions.version_no end`.as("versionNo"),
    ])
    .where("items.id", "in", itemIds)
    .where(({ or, eb }) => or([eb("items.protected_at", "is not", null), eb("versions.code", "is not", null)]))
    .orderBy("items.id")
    .limit(1)
    .executeTakeFirst();
  return found && { ...found, versionNo: found.versionNo ?? undefined };
}
