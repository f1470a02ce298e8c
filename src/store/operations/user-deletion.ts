import type { Instant } from "../../domain/model/entities.ts";
import type { UserChange, UserDeletion } from "../../domain/operations/administration-ports.ts";
import type { Database } from "../engine/schema.ts";
import { disableUser } from "./user-changes.ts";
import { deleteEmptyWorkspace, lockWorkspaces } from "./workspace-changes.ts";

/** Disables a user before their deletion, unless they are the only owner of an organization. Returns those. */
export async function beginUserDeletion(
  database: Database,
  change: UserChange & { now: Instant },
): Promise<{ soleOwnerOf: string[] }> {
  const { soleOwnerOf } = await lockOrganizations(database, change.userId);
  if (soleOwnerOf.length === 0) await disableUser(database, change);
  return { soleOwnerOf };
}

/** Returns the user's organizations, which stay locked, and the slugs of those that no other member owns. */
async function lockOrganizations(database: Database, userId: string) {
  const organizations = await database
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["workspaces.id", "workspaces.slug"])
    .where("memberships.user_id", "=", userId)
    .where("workspaces.kind", "=", "org")
    .orderBy("workspaces.slug")
    .execute();
  const ids = organizations.map(({ id }) => id);
  await lockWorkspaces(database, ids);
  const owners =
    ids.length === 0
      ? []
      : await database
          .selectFrom("memberships")
          .select(["workspace_id", "user_id"])
          .where("workspace_id", "in", ids)
          .where("role", "=", "owner")
          .execute();
  const soleOwnerOf = organizations
    .filter(({ id }) => {
      const [first, ...others] = owners.filter(({ workspace_id }) => workspace_id === id);
      return others.length === 0 && first?.user_id === userId;
    })
    .map(({ slug }) => slug);
  return { ids, soleOwnerOf };
}

/**
 * Deletes a user whose own workspace is empty. Their row stays without personal data, because versions in organizations
 * refer to it.
 */
export async function finishUserDeletion(
  database: Database,
  { by, userId, workspaceId, now }: UserChange & { workspaceId: string; now: Instant },
): Promise<UserDeletion> {
  const { ids, soleOwnerOf } = await lockOrganizations(database, userId);
  if (soleOwnerOf.length > 0) return { kind: "sole owner", soleOwnerOf };
  if (!(await deleteEmptyWorkspace(database, { by, workspaceId }))) return { kind: "has reports" };
  await removeBelongings(database, userId);
  await database
    .updateTable("users")
    .set({
      email: `${userId.toLowerCase()}@deleted.invalid`,
      email_verified: 0,
      name: null,
      image: null,
      is_operator: 0,
      disabled_at: now,
      deleted_at: now,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
  const removed = ids.map((id) => ({ userId, workspaceId: id, ownWorkspaceId: workspaceId }));
  return { kind: "deleted", removed };
}

async function removeBelongings(database: Database, userId: string): Promise<void> {
  const address = database.selectFrom("users").select("email").where("id", "=", userId);
  await database.deleteFrom("shared_people").where("email", "=", address).execute();
  const tables = [
    "accounts",
    "sessions",
    "tokens",
    "oauth_grants",
    "oauth_devices",
    "memberships",
    "shortcuts",
    "saved_filters",
    "seen",
    "request_keys",
    "access_requests",
    "thread_reads",
    "review_reads",
    "inbox",
    "notification_settings",
  ] as const;
  for (const table of tables) {
    await database.deleteFrom(table).where("user_id", "=", userId).execute();
  }
  await database.deleteFrom("invitations").where("inviter_id", "=", userId).execute();
}
