import type { Authorized } from "../../domain/model/access.ts";
import { itemNotFound } from "../../domain/model/common-failures.ts";
import type { Instant, Item } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";
import { showCurrentVersion } from "./current-version.ts";

/** Sets the title that a report is shown with; null for that of its current version. */
export async function setTitle(
  database: Database,
  { item, title, now }: { item: Authorized<"modify", Item>; title: string | null; now: Instant },
): Promise<void> {
  const titled = await database
    .updateTable("items")
    .set({ display_title: title, updated_at: now })
    .where("id", "=", item.id)
    .executeTakeFirst();
  if (titled.numUpdatedRows === 0n) throw itemNotFound(item);
  await showCurrentVersion(database, item.id);
}
