import { sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import { countingSubtreesOnce } from "../cabinet/subtree-counts.ts";
import { engineOf } from "../engine/engine.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { bigInteger } from "../model/rows.ts";
import { removeCodesFromIndex, removeFromIndex } from "../search/index-item.ts";

interface Removal {
  workspaceId: string;
  /** The ids of locked items. */
  itemIds: readonly number[];
  now: Instant;
}

/** Marks the codes of all versions of items as used forever. */
export async function retireCodes(database: Database, { itemIds, now }: Omit<Removal, "workspaceId">): Promise<void> {
  await database
    .insertInto("retired_codes")
    .columns(["code", "retired_at"])
    .expression((query) =>
      query
        .selectFrom("versions")
        .select(["code", bigInteger(now).as("retired_at")])
        .where("item_id", "in", itemIds),
    )
    .execute();
}

/** Removes items with all their versions. Their codes have to be retired. Returns the codes. */
export async function removeItems(
  database: Database,
  { workspaceId, itemIds }: Omit<Removal, "now">,
): Promise<string[]> {
  const versions = await database
    .deleteFrom("versions")
    .where("item_id", "in", itemIds)
    .returning(["code", "size"])
    .execute();
  const codes = versions.map(({ code }) => code);
  await removeCodesFromIndex(database, codes);
  await removeFromIndex(database, itemIds);
  // All at once. When an item is deleted, the database would do it for that item alone.
  await countingSubtreesOnce(database, itemIds, () =>
    database.deleteFrom("item_tags").where("item_id", "in", itemIds).execute(),
  );
  await database.deleteFrom("items").where("id", "in", itemIds).execute();
  const freed = versions.reduce((sum, version) => sum + version.size, 0);
  await releaseQuota(database, workspaceId, freed);
  return codes;
}

const deleteVersions = prepared((database, codes: string) =>
  database.deleteFrom("versions").where(({ ref }) => engineOf(database).isInTextList(ref("code"), codes)),
);

/** Removes versions of items that keep others. Their codes have to be retired. */
export async function removeVersions(
  database: Database,
  workspaceId: string,
  versions: readonly { code: string; size: number }[],
): Promise<void> {
  const codes = versions.map(({ code }) => code);
  await deleteVersions(database, JSON.stringify(codes));
  await removeCodesFromIndex(database, codes);
  const freed = versions.reduce((sum, { size }) => sum + size, 0);
  await releaseQuota(database, workspaceId, freed);
}

async function releaseQuota(database: Database, workspaceId: string, size: number): Promise<void> {
  await database
    .updateTable("workspaces")
    .set({ stored_bytes: sql`stored_bytes - ${size}` })
    .where("id", "=", workspaceId)
    .execute();
}
