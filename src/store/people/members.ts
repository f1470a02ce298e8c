import { sql } from "kysely";
import type { Instant, Role } from "../../domain/model/entities.ts";
import { checkMemberChange, noSuchMember } from "../../domain/people/members.ts";
import type { Member, MemberReference } from "../../domain/people/ports.ts";
import type { Database } from "../engine/schema.ts";
import { addMember } from "./accounts.ts";

/** Lists members, sorted by slug. */
export function listMembers(database: Database, workspaceId: string): Promise<Member[]> {
  return database
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .innerJoin("memberships as own", "own.user_id", "memberships.user_id")
    .innerJoin("workspaces as home", "home.id", "own.workspace_id")
    .select([
      "memberships.user_id as userId",
      "home.slug",
      "users.name",
      "users.email",
      "memberships.role",
      "memberships.created_at as since",
    ])
    .where("memberships.workspace_id", "=", workspaceId)
    .where("home.kind", "=", "user")
    .orderBy("home.slug")
    .execute();
}

/** Adds a member, if the actor may. */
export async function admitMember(
  database: Database,
  { role, now, ...reference }: MemberReference & { role: Role; now: Instant },
): Promise<void> {
  await checkChange(database, reference, role);
  await addMember(database, { workspaceId: reference.workspaceId, userId: reference.userId, role, now });
}

/** Changes a member's role, if the actor may. */
export async function setRole(
  database: Database,
  { role, ...reference }: MemberReference & { role: Role },
): Promise<{ ownWorkspaceId: string }> {
  const { from } = await checkChange(database, reference, role);
  if (from === undefined) throw noSuchMember();
  await database
    .updateTable("memberships")
    .set({ role })
    .where("workspace_id", "=", reference.workspaceId)
    .where("user_id", "=", reference.userId)
    .execute();
  return findOwnWorkspace(database, reference.userId);
}

/** Ends a membership, if the actor may. */
export async function removeMember(
  database: Database,
  reference: MemberReference,
): Promise<{ ownWorkspaceId: string }> {
  const { from } = await checkChange(database, reference, undefined);
  if (from === undefined) throw noSuchMember();
  await database
    .deleteFrom("memberships")
    .where("workspace_id", "=", reference.workspaceId)
    .where("user_id", "=", reference.userId)
    .execute();
  return findOwnWorkspace(database, reference.userId);
}

/** Checks a change against the current roles, which stay locked until the transaction ends. */
async function checkChange(database: Database, reference: MemberReference, to: Role | undefined) {
  const { workspaceId, actorId, userId } = reference;
  await lockWorkspace(database, workspaceId);
  const rows = await database
    .selectFrom("memberships")
    .select(["user_id", "role"])
    .where("workspace_id", "=", workspaceId)
    .where((where) => where.or([where("user_id", "in", [actorId, userId]), where("role", "=", "owner")]))
    .execute();
  const roleOf = (id: string) => rows.find(({ user_id }) => user_id === id)?.role;
  const change = {
    actor: roleOf(actorId),
    isOwn: actorId === userId,
    from: roleOf(userId),
    to,
    owners: rows.filter(({ role }) => role === "owner").length,
  };
  checkMemberChange(change);
  return change;
}

/** Updates the workspace's row, so that concurrent changes of its members wait and then see this one. */
async function lockWorkspace(database: Database, workspaceId: string): Promise<void> {
  await database
    .updateTable("workspaces")
    .set({ stored_bytes: sql`stored_bytes` })
    .where("id", "=", workspaceId)
    .execute();
}

async function findOwnWorkspace(database: Database, userId: string): Promise<{ ownWorkspaceId: string }> {
  const { id } = await database
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select("workspaces.id")
    .where("memberships.user_id", "=", userId)
    .where("workspaces.kind", "=", "user")
    .executeTakeFirstOrThrow();
  return { ownWorkspaceId: id };
}
