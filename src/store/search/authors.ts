import type { Search } from "../../domain/search/ports.ts";
import type { Database } from "../engine/schema.ts";

/** Returns the ids of the users whose slugs a search names; undefined if it names none. Unknown slugs have no id. */
export async function findAuthorIds(
  database: Database,
  { authors }: Pick<Search, "authors">,
): Promise<string[] | undefined> {
  if (authors === undefined || authors.length === 0) return undefined;
  const rows = await database
    .selectFrom("workspaces")
    .innerJoin("memberships", "memberships.workspace_id", "workspaces.id")
    .select("memberships.user_id")
    .where("workspaces.slug", "in", authors)
    .where("workspaces.kind", "=", "user")
    .execute();
  return rows.map(({ user_id }) => user_id);
}
