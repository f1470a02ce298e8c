import type { Authorized, VersionOfItem } from "../../domain/model/access.ts";
import { itemNotFound, reportNotFound } from "../../domain/model/common-failures.ts";
import type { Instant, Item } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";

interface Change {
  isProtected: boolean;
  now: Instant;
}

export async function protectItem(
  database: Database,
  { item, isProtected, now }: Change & { item: Authorized<"control", Item> },
): Promise<void> {
  const changed = await database
    .updateTable("items")
    .set({ protected_at: isProtected ? now : null })
    .where("id", "=", item.id)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw itemNotFound(item);
}

export async function protectVersion(
  database: Database,
  { found, isProtected, now }: Change & { found: Authorized<"control", VersionOfItem> },
): Promise<void> {
  const { item, version } = found;
  const protected_at = isProtected ? now : null;
  // Deletions lock the report first, and then look for protected versions. An unnamed report is its only version.
  await database.selectFrom("items").select("id").where("id", "=", item.id).forNoKeyUpdate().execute();
  if (item.name === null) {
    await database.updateTable("items").set({ protected_at }).where("id", "=", item.id).execute();
  }
  const changed = await database
    .updateTable("versions")
    .set({ protected_at })
    .where("code", "=", version.code)
    .where("item_id", "=", item.id)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw reportNotFound({ code: version.code });
}
