import type { Database } from "../engine/schema.ts";

/** A user as the audit log names them, with their own workspace. */
export interface UserLabel {
  slug: string;
  workspaceId: string;
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
