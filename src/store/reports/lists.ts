import type { Membership } from "../../domain/model/entities.ts";
import type { ListedItem } from "../../domain/reports/ports.ts";
import type { Database } from "../engine/schema.ts";
import { readableItem } from "../model/readable.ts";
import { storageMode } from "../model/rows.ts";

export function listItems(
  database: Database,
  page: {
    userId: string;
    membership: Membership;
    kind: "group" | "report";
    beforeId: number | undefined;
    limit: number;
  },
): Promise<ListedItem[]> {
  const { userId, membership, kind, beforeId, limit } = page;
  return database
    .selectFrom("items")
    .innerJoin("versions", "versions.code", "items.current_code")
    .leftJoin("folders", "folders.id", "items.folder_id")
    .leftJoin("drawers", "drawers.id", "folders.drawer_id")
    .leftJoin("thumbnails", "thumbnails.code", "items.current_code")
    .select((select) => [
      "items.id",
      "items.name",
      select.val(membership.slug).as("ownerSlug"),
      "items.current_code as code",
      "items.title",
      "items.visibility",
      "items.current_visibility as currentVisibility",
      storageMode,
      "items.folder_id as folderId",
      "folders.title as folderTitle",
      "drawers.title as drawerTitle",
      "thumbnails.digest as thumbnail",
      "items.created_at as createdAt",
      select
        .selectFrom("versions as all_versions")
        .select((count) => count.fn.countAll<number>().as("count"))
        .whereRef("all_versions.item_id", "=", "items.id")
        .$asScalar()
        .$notNull()
        .as("versionCount"),
    ])
    .where("items.workspace_id", "=", membership.id)
    .where("items.name", kind === "group" ? "is not" : "is", null)
    .$if(beforeId !== undefined, (query) => query.where("items.id", "<", beforeId ?? 0))
    .where(readableItem({ userId, role: membership.role }))
    .orderBy("items.id", "desc")
    .limit(limit)
    .execute();
}
