import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import { checkInvitee, invitationOver } from "../../domain/people/invitations.ts";
import type {
  Invitation,
  InvitationWithOrganization,
  Joined,
  NewInvitation,
  NewUser,
} from "../../domain/people/ports.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { addMember, addUser } from "./accounts.ts";

export async function addInvitation(database: Database, invitation: NewInvitation): Promise<void> {
  const { id, hash, workspaceId, inviterId, role, email, now, expiresAt } = invitation;
  await database
    .insertInto("invitations")
    .values({
      id,
      hash,
      workspace_id: workspaceId,
      inviter_id: inviterId,
      role,
      email,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
}

/** Returns the condition that an invitation is valid. It ends when its inviter may no longer invite. */
function isOpen(now: Instant): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "invitations">();
  return where.and([
    where("invitations.expires_at", ">", now),
    where.exists(
      where
        .selectFrom("memberships as inviting")
        .innerJoin("users as inviter", "inviter.id", "inviting.user_id")
        .select("inviting.user_id")
        .whereRef("inviting.user_id", "=", "invitations.inviter_id")
        .whereRef("inviting.workspace_id", "=", "invitations.workspace_id")
        .where("inviting.role", "in", ["owner", "admin"])
        .where("inviter.disabled_at", "is", null),
    ),
  ]);
}

const selectInvitations = (database: Database, now: Instant) =>
  database
    .selectFrom("invitations")
    .innerJoin("users", "users.id", "invitations.inviter_id")
    .innerJoin("memberships as own", "own.user_id", "users.id")
    .innerJoin("workspaces as home", "home.id", "own.workspace_id")
    .innerJoin("workspaces", "workspaces.id", "invitations.workspace_id")
    .select((select) => [
      "invitations.id",
      "invitations.role",
      "invitations.email",
      "invitations.created_at as createdAt",
      "invitations.expires_at as expiresAt",
      "workspaces.slug",
      "workspaces.display_name as displayName",
      select.fn.coalesce("users.name", "home.slug").as("inviterName"),
    ])
    .where("home.kind", "=", "user")
    .where(isOpen(now));

export async function listInvitations(database: Database, workspaceId: string, now: Instant): Promise<Invitation[]> {
  const rows = await selectInvitations(database, now)
    .where("invitations.workspace_id", "=", workspaceId)
    .orderBy("invitations.created_at", "desc")
    .orderBy("invitations.id")
    .execute();
  return rows.map(({ slug: _, displayName: __, ...invitation }) => invitation);
}

export async function findInvitation(
  database: Database,
  hash: string,
  now: Instant,
): Promise<InvitationWithOrganization | undefined> {
  const row = await selectInvitations(database, now).where("invitations.hash", "=", hash).executeTakeFirst();
  if (row === undefined) return undefined;
  const { slug, displayName, ...invitation } = row;
  return { ...invitation, organization: { slug, displayName } };
}

export async function revokeInvitation(
  database: Database,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  const removed = await database
    .deleteFrom("invitations")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** Uses an invitation to add an existing user to the organization. */
export async function acceptInvitation(
  database: Database,
  { hash, userId, now }: { hash: string; userId: string; now: Instant },
): Promise<Joined> {
  const invitation = await redeem(database, hash, now);
  const user = await database.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirstOrThrow();
  checkInvitee(invitation, user.email);
  return join(database, invitation, { userId, now });
}

/** Uses an invitation to add a new user to the organization. */
export async function acceptAsNewUser(
  database: Database,
  { hash, user }: { hash: string; user: NewUser },
): Promise<Joined> {
  const invitation = await redeem(database, hash, user.now);
  checkInvitee(invitation, user.email);
  await addUser(database, user);
  return join(database, invitation, { userId: user.id, now: user.now });
}

type UsedInvitation = Awaited<ReturnType<typeof redeem>>;

/** Deletes and returns an invitation. Call it first: concurrent calls wait for the row and then fail. */
async function redeem(database: Database, hash: string, now: Instant) {
  const invitation = await database
    .deleteFrom("invitations")
    .where("hash", "=", hash)
    .where(isOpen(now))
    .returning(["workspace_id", "role", "email"])
    .executeTakeFirst();
  if (invitation === undefined) throw invitationOver();
  return invitation;
}

async function join(
  database: Database,
  { workspace_id, role }: UsedInvitation,
  { userId, now }: { userId: string; now: Instant },
): Promise<Joined> {
  await addMember(database, { workspaceId: workspace_id, userId, role, now });
  const { slug } = await database
    .selectFrom("workspaces")
    .select("slug")
    .where("id", "=", workspace_id)
    .executeTakeFirstOrThrow();
  return { workspaceId: workspace_id, slug };
}
