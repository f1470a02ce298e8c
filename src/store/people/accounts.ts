import { expressionBuilder } from "kysely";
import type { DefaultVisibility, Instant, Role, Workspace } from "../../domain/model/entities.ts";
import { conflict } from "../../domain/model/failure.ts";
import type { Plan } from "../../domain/model/plans.ts";
import type { Holding, NewUser, Profile } from "../../domain/people/ports.ts";
import { isUniqueViolation } from "../engine/engine.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { addIdentity } from "./identities.ts";
import { MEMBERSHIP_COLUMNS } from "./memberships.ts";

export async function countUsers(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom("users")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function addUser(
  database: Database,
  { id, accountId, workspaceId, email, isEmailVerified, slug, name, proof, plan, now }: NewUser,
): Promise<void> {
  await unlessTaken(`The email address "${email}" is taken. Use another address.`, () =>
    database
      .insertInto("users")
      .values({
        id,
        email,
        email_verified: Number(isEmailVerified),
        name,
        image: null,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
  await ("passwordHash" in proof
    ? addPassword(database, { accountId, userId: id, now, ...proof })
    : addIdentity(database, { accountId, userId: id, now, ...proof }));
  await addWorkspace(database, { id: workspaceId, slug, kind: "user", displayName: name, plan }, now);
  await addMember(database, { workspaceId, userId: id, role: "owner", now });
}

/** Stores a password in the row that Better Auth expects. */
async function addPassword(
  database: Database,
  { accountId, userId, passwordHash, now }: { accountId: string; userId: string; passwordHash: string; now: Instant },
): Promise<void> {
  await database
    .insertInto("accounts")
    .values({
      id: accountId,
      user_id: userId,
      provider_id: "credential",
      account_id: userId,
      password: passwordHash,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

async function addWorkspace(database: Database, workspace: Workspace, now: Instant): Promise<void> {
  const { id, slug, kind, displayName, plan } = workspace;
  await unlessTaken(`The slug "${slug}" is taken. Choose another one.`, () =>
    database
      .insertInto("workspaces")
      .values({ id, slug, kind, display_name: displayName, plan, created_at: now })
      .execute(),
  );
}

async function unlessTaken(message: string, insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert();
  } catch (error) {
    throw isUniqueViolation(error) ? conflict(message) : error;
  }
}

export function findUserBySlug(
  database: Database,
  slug: string,
): Promise<{ id: string; workspaceId: string } | undefined> {
  return database
    .selectFrom("workspaces")
    .innerJoin("memberships", "memberships.workspace_id", "workspaces.id")
    .select(["memberships.user_id as id", "workspaces.id as workspaceId"])
    .where("workspaces.slug", "=", slug)
    .where("workspaces.kind", "=", "user")
    .executeTakeFirst();
}

export function findWorkspace(database: Database, slug: string): Promise<Workspace | undefined> {
  return database
    .selectFrom("workspaces")
    .select(["id", "slug", "kind", "display_name as displayName", "plan"])
    .where("slug", "=", slug)
    .executeTakeFirst();
}

export async function findRole(database: Database, workspaceId: string, userId: string): Promise<Role | undefined> {
  const membership = await database
    .selectFrom("memberships")
    .select("role")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return membership?.role;
}

export async function addOrganization(
  database: Database,
  organization: { id: string; slug: string; name: string; ownerId: string; plan: Plan; now: Instant },
): Promise<void> {
  const { id, slug, name, ownerId, plan, now } = organization;
  await addWorkspace(database, { id, slug, kind: "org", displayName: name, plan }, now);
  await addMember(database, { workspaceId: id, userId: ownerId, role: "owner", now });
}

export async function addMember(
  database: Database,
  member: { workspaceId: string; userId: string; role: Role; now: Instant },
): Promise<void> {
  const { workspaceId, userId, role, now } = member;
  await unlessTaken("The user is already a member. Change their role instead.", () =>
    database
      .insertInto("memberships")
      .values({ workspace_id: workspaceId, user_id: userId, role, created_at: now })
      .execute(),
  );
}

export async function setPlan(database: Database, { slug, plan }: { slug: string; plan: Plan }): Promise<boolean> {
  const changed = await database.updateTable("workspaces").set({ plan }).where("slug", "=", slug).executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

export async function findProfile(database: Database, userId: string): Promise<Profile | undefined> {
  const row = await database
    .selectFrom("users")
    .leftJoin("accounts", (join) =>
      join
        .onRef("accounts.user_id", "=", "users.id")
        .on("accounts.provider_id", "=", "credential")
        .on("accounts.password", "is not", null),
    )
    .select(["users.email", "users.name", "accounts.id as passwordId"])
    .where("users.id", "=", userId)
    .executeTakeFirst();
  return row && { email: row.email, name: row.name, hasPassword: row.passwordId !== null };
}

export function listHoldings(database: Database, userId: string): Promise<Holding[]> {
  return database
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select([
      ...MEMBERSHIP_COLUMNS,
      "workspaces.stored_bytes as storedBytes",
      "workspaces.default_folder_id as defaultFolderId",
      "workspaces.default_visibility as defaultVisibility",
      "workspaces.seen_by as seenBy",
    ])
    .where("memberships.user_id", "=", userId)
    .execute();
}

const where = expressionBuilder<Schema, "workspaces">();

/** Returns the condition on `workspaces` that a user is an owner or admin. */
export const isGovernedBy = (userId: string) =>
  where.exists(
    where
      .selectFrom("memberships")
      .select("memberships.user_id")
      .whereRef("memberships.workspace_id", "=", "workspaces.id")
      .where("memberships.user_id", "=", userId)
      .where("memberships.role", "<>", "member"),
  );

/** Sets the default visibility of a workspace. Returns false unless the user manages it. */
export async function setDefaultVisibility(
  database: Database,
  { workspaceId, userId, visibility }: { workspaceId: string; userId: string; visibility: DefaultVisibility },
): Promise<boolean> {
  const changed = await database
    .updateTable("workspaces")
    .set({ default_visibility: visibility })
    .where("id", "=", workspaceId)
    .where(isGovernedBy(userId))
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Sets the name of a workspace, and of its user if it is personal. Returns false unless the user manages it. */
export async function setDisplayName(
  database: Database,
  change: { workspaceId: string; userId: string; displayName: string; now: Instant },
): Promise<boolean> {
  const { workspaceId, userId, displayName, now } = change;
  const changed = await database
    .updateTable("workspaces")
    .set({ display_name: displayName })
    .where("id", "=", workspaceId)
    .where(isGovernedBy(userId))
    .returning("kind")
    .executeTakeFirst();
  if (changed?.kind === "user") {
    await database.updateTable("users").set({ name: displayName, updated_at: now }).where("id", "=", userId).execute();
  }
  return changed !== undefined;
}
