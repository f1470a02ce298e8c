import { sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { Disposal, DisposedItems } from "../../domain/trash/ports.ts";
import { countingSubtreesOnce } from "../cabinet/subtree-counts.ts";
import { engineOf } from "../engine/engine.ts";
import { insertRows } from "../engine/insert-rows.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { bigInteger } from "../model/rows.ts";
import { removeItems, removeVersions } from "../reports/deletion.ts";
import { withholdThreads } from "../reviews/withhold.ts";
import { belongingsOf, inChunks, readBelongings, removeBelongings } from "./belongings.ts";
import { addItemEntries, addVersionEntries, type Discarded } from "./entries.ts";
import { evictOldest } from "./purge.ts";
import { findShortcuts, removeShortcuts, shortcutsOf } from "./shortcuts.ts";
import { encodeSnapshot, type ItemRow, type VersionRow } from "./snapshots.ts";

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
    const entries = items.map((item) => {
      const own = byItem.get(item.id) ?? [];
      const snapshot = encodeSnapshot({
        items: [item],
        shortcuts: shortcutsOf(shortcuts, item, own),
        belongings: belongingsOf(belongings, { itemIds: [item.id], codes: own.map(({ code }) => code) }),
      });
      return { item, versions: own, snapshot };
    });
    await addItemEntries(database, { ...discarded, bin }, entries);
  }
  await removeShortcuts(database, shortcuts);
  await countingSubtreesOnce(database, itemIds, () => removeBelongings(database, { itemIds, codes }));
  await removeItems(database, { workspaceId, itemIds });
  await retire(database, codes, discarded);
  const purged = bin === undefined ? codes : await evictOldest(database, workspaceId, bin.allowance);
  return { itemIds: [...itemIds], codes, purged };
}

/** A version with its report, and the version that becomes current instead of it, if it is current. */
export interface DiscardedVersion {
  item: Pick<ItemRow, "id" | "visibility" | "organization_id">;
  version: Pick<VersionRow, "code" | "size" | "visibility" | "organization_id">;
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
    const entries = versions.map(({ item, version, succeededBy }) => ({
      code: version.code,
      snapshot: encodeSnapshot({
        items: [],
        shortcuts: [],
        belongings: belongingsOf(belongings, { itemIds: [], codes: [version.code] }),
        version: { reportVisibility: item.visibility, reportOrganization: item.organization_id, succeededBy },
      }),
    }));
    await addVersionEntries(database, { ...discarded, bin }, entries);
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
