import type { Authorized } from "../../domain/model/access.ts";
import type { Instant, Membership } from "../../domain/model/entities.ts";
import type { PlannedRule, RetentionPlace, RetentionRule } from "../../domain/trash/ports.ts";
import type { Database } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";

interface RuleRow {
  folder_id: string | null;
  tag_id: string | null;
}

function placeOf({ folder_id, tag_id }: RuleRow): RetentionPlace {
  if (folder_id !== null) return { kind: "folder", id: folder_id };
  return tag_id === null ? { kind: "workspace" } : { kind: "tag", id: tag_id };
}

const keyOf = (place: RetentionPlace): string => (place.kind === "workspace" ? "" : place.id);

export async function listRetention(database: Database, workspaceId: string): Promise<RetentionRule[]> {
  const rows = await database
    .selectFrom("retention_rules")
    .leftJoin("folders", "folders.id", "retention_rules.folder_id")
    .leftJoin("tags", "tags.id", "retention_rules.tag_id")
    .select([
      "retention_rules.folder_id",
      "retention_rules.tag_id",
      "folders.title as folderTitle",
      "tags.title as tagTitle",
      "keep",
      "days",
      "set_by",
      "set_at",
    ])
    .where("retention_rules.workspace_id", "=", workspaceId)
    .orderBy("place")
    .execute();
  const people = await findCreators(database, new Set(rows.map(({ set_by }) => set_by)));
  return rows.map((row) => ({
    place: placeOf(row),
    title: row.folderTitle ?? row.tagTitle,
    keep: row.keep,
    days: row.days,
    setBy: people.get(row.set_by) ?? null,
    setAt: row.set_at,
  }));
}

/** Returns the rules of a workspace without what only people need to know. */
export async function readRules(database: Database, workspaceId: string): Promise<PlannedRule[]> {
  const rows = await database
    .selectFrom("retention_rules")
    .select(["folder_id", "tag_id", "keep", "days"])
    .where("workspace_id", "=", workspaceId)
    .execute();
  return rows.map((row) => ({ place: placeOf(row), keep: row.keep, days: row.days }));
}

export async function setRetention(
  database: Database,
  change: { workspace: Authorized<"control", Membership>; userId: string; id: string; now: Instant } & PlannedRule,
): Promise<boolean> {
  const { workspace, userId, id, now, place, keep, days } = change;
  if (!(await hasPlace(database, workspace.id, place))) return false;
  const rule = { keep, days, set_by: userId, set_at: now };
  await database
    .insertInto("retention_rules")
    .values({
      id,
      workspace_id: workspace.id,
      place: keyOf(place),
      folder_id: place.kind === "folder" ? place.id : null,
      tag_id: place.kind === "tag" ? place.id : null,
      ...rule,
    })
    .onConflict((known) => known.columns(["workspace_id", "place"]).doUpdateSet(rule))
    .execute();
  return true;
}

export const hasRetentionPlace = (
  database: Database,
  { workspace, place }: { workspace: Authorized<"control", Membership>; place: RetentionPlace },
): Promise<boolean> => hasPlace(database, workspace.id, place);

async function hasPlace(database: Database, workspaceId: string, place: RetentionPlace): Promise<boolean> {
  if (place.kind === "workspace") return true;
  const found = await database
    .selectFrom(place.kind === "folder" ? "folders" : "tags")
    .select("id")
    .where("id", "=", place.id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return found !== undefined;
}

export async function removeRetention(
  database: Database,
  { workspace, place }: { workspace: Authorized<"control", Membership>; place: RetentionPlace },
): Promise<boolean> {
  const removed = await database
    .deleteFrom("retention_rules")
    .where("workspace_id", "=", workspace.id)
    .where("place", "=", keyOf(place))
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

export async function listRetained(
  database: Database,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; plan: Membership["plan"] }[]> {
  return database
    .selectFrom("workspaces")
    .select(["id", "plan"])
    .where("id", ">", after)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("retention_rules").select("place").whereRef("retention_rules.workspace_id", "=", "workspaces.id"),
      ),
    )
    .orderBy("id")
    .limit(limit)
    .execute();
}
