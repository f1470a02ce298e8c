import type { Authorized } from "../../domain/model/access.ts";
import type { Membership } from "../../domain/model/entities.ts";
import type { SavedFilter } from "../../domain/search/ports.ts";
import type { Database } from "../engine/schema.ts";

interface OwnFilter {
  id: string;
  userId: string;
  cabinets: Authorized<"modify", readonly string[]>;
}

export async function listFilters(
  database: Database,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<SavedFilter[]> {
  const rows = await database
    .selectFrom("saved_filters")
    .select(["id", "title", "query", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .where("workspace_id", "=", workspaceId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, query: JSON.parse(row.query) }));
}

/** Adds a filter. Returns false if the user has reached the limit. */
export async function addFilter(
  database: Database,
  added: { workspace: Authorized<"modify", Membership>; userId: string; filter: SavedFilter; limit: number },
): Promise<boolean> {
  const { workspace, userId, filter, limit } = added;
  // Concurrent calls of one user wait for each other here.
  await database.updateTable("users").set({ id: userId }).where("id", "=", userId).execute();
  const { count } = await database
    .selectFrom("saved_filters")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("workspace_id", "=", workspace.id)
    .executeTakeFirstOrThrow();
  if (count >= limit) return false;
  const { id, title, query, createdAt: created_at } = filter;
  const row = { id, user_id: userId, workspace_id: workspace.id, title, query: JSON.stringify(query), created_at };
  await database.insertInto("saved_filters").values(row).execute();
  return true;
}

/** Changes the title of a user's filter. Returns its workspace; undefined if there is no such filter. */
export async function renameFilter(
  database: Database,
  { id, userId, cabinets, title }: OwnFilter & { title: string },
): Promise<string | undefined> {
  const renamed = await database
    .updateTable("saved_filters")
    .set({ title })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("workspace_id", "in", cabinets)
    .returning("workspace_id")
    .executeTakeFirst();
  return renamed?.workspace_id;
}

/** Removes a user's filter. Returns its workspace; undefined if there is no such filter. */
export async function removeFilter(
  database: Database,
  { id, userId, cabinets }: OwnFilter,
): Promise<string | undefined> {
  const removed = await database
    .deleteFrom("saved_filters")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("workspace_id", "in", cabinets)
    .returning("workspace_id")
    .executeTakeFirst();
  return removed?.workspace_id;
}
