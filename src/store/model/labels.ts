import type { Database } from "../engine/schema.ts";

/** A user as the audit log names them, with their own workspace. */
export interface UserLabel {
  slug: string;
  workspaceId: string;
}

/** Returns the slugs and display names of users by id. */
export async function findCreators(database: Database, ids: ReadonlySet<string>) {
  if (ids.size === 0) return new Map<string, never>();
  const rows = await database
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["users.id", "users.name as displayName", "workspaces.slug"])
    .where("users.id", "in", [...ids])
    .where("workspaces.kind", "=", "user")
    .execute();
  return new Map(rows.map(({ id, slug, displayName }) => [id, { slug, displayName }]));
}

/** Returns a user's slug and own workspace; undefined if there is no such user. */
export const findUserLabel = (database: Database, userId: string): Promise<UserLabel | undefined> =>
  database
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["workspaces.slug", "workspaces.id as workspaceId"])
    .where("memberships.user_id", "=", userId)
    .where("workspaces.kind", "=", "user")
    .executeTakeFirst();
