import type { Authorized, VersionOfItem } from "../../domain/model/access.ts";
import { itemNotFound, reportNotFound } from "../../domain/model/common-failures.ts";
import type { Instant, Item } from "../../domain/model/entities.ts";
import type { StorageMode } from "../../domain/model/storage-mode.ts";
import type { Database } from "../engine/schema.ts";

/** Sets the storage of a report's versions, later ones included. Returns the codes of those that exist. */
export async function setItemStorage(
  database: Database,
  { item, storage, now }: { item: Authorized<"control", Item>; storage: StorageMode; now: Instant },
): Promise<string[]> {
  // First, because it makes publishing wait: a new version has either storage from here or this update below.
  await database.updateTable("items").set({ storage, updated_at: now }).where("id", "=", item.id).execute();
  const versions = await database
    .updateTable("versions")
    .set({ storage })
    .where("item_id", "=", item.id)
    .returning("code")
    .execute();
  if (versions.length === 0) throw itemNotFound(item);
  return versions.map(({ code }) => code);
}

/** Sets the storage of one version. */
export async function setVersionStorage(
  database: Database,
  change: { found: Authorized<"control", VersionOfItem>; storage: StorageMode; now: Instant },
): Promise<void> {
  const {
    found: { item, version },
    storage,
    now,
  } = change;
  await database.updateTable("items").set({ updated_at: now }).where("id", "=", item.id).execute();
  const changed = await database
    .updateTable("versions")
    .set({ storage })
    .where("code", "=", version.code)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw reportNotFound({ code: version.code });
}
