import { sql } from "kysely";
import type { Authorized, ShareSubject } from "../../domain/model/access.ts";
import { itemNotFound, reportNotFound } from "../../domain/model/common-failures.ts";
import type { Instant } from "../../domain/model/entities.ts";
import { invalid } from "../../domain/model/failure.ts";
import type { ChangedPeople, Organization, PeopleChange, SharedPerson } from "../../domain/sharing/ports.ts";
import type { Database } from "../engine/schema.ts";

interface Scope {
  itemId: number;
  code: string | null;
}

const selectPeople = (database: Database, { itemId, code }: Scope) =>
  database
    .selectFrom("shared_people")
    .where("shared_people.item_id", "=", itemId)
    .where("shared_people.code", code === null ? "is" : "=", code);

/** Lists the people that something is shared with, in the order in which they were added. */
export async function listPeople(
  database: Database,
  { viewerId, ...scope }: Scope & { viewerId: string },
): Promise<SharedPerson[]> {
  const rows = await selectPeople(database, scope)
    .leftJoin("users", (join) =>
      join.onRef("users.email", "=", "shared_people.email").on("users.email_verified", "=", 1),
    )
    .select((select) => [
      "shared_people.email",
      "users.name as displayName",
      "shared_people.created_at as addedAt",
      // Others would learn who has an account here.
      select
        .exists(
          select
            .selectFrom("memberships as own")
            .innerJoin("memberships as common", "common.workspace_id", "own.workspace_id")
            .select("own.user_id")
            .where("own.user_id", "=", viewerId)
            .whereRef("common.user_id", "=", "users.id"),
        )
        .as("isKnown"),
    ])
    .orderBy("shared_people.created_at")
    .orderBy("shared_people.email")
    .execute();
  return rows.map(({ isKnown, displayName, ...person }) => ({ ...person, displayName: isKnown ? displayName : null }));
}

/** Changes the people that something is shared with. Throws `Invalid`, which begins with the label, if it would be too many. */
export async function changePeople(
  database: Database,
  change: PeopleChange,
  label = "A report",
): Promise<ChangedPeople> {
  const { subject, sharerId, add, remove, limit, now } = change;
  await lockSubject(database, subject);
  const scope = { itemId: subject.item.id, code: subject.code };
  const removed = await removePeople(database, scope, remove);
  const known = await selectPeople(database, scope).select("email").execute();
  const emails = new Set(known.map(({ email }) => email));
  const added = add.filter(({ email }) => !emails.has(email));
  requireRoom(known.length + added.length, limit, label);
  if (added.length > 0) {
    const rows = added.map(({ id, email }) => ({
      ...{ id, item_id: scope.itemId, code: scope.code, email },
      ...{ sharer_id: sharerId, created_at: now },
    }));
    await database.insertInto("shared_people").values(rows).execute();
  }
  const changed = [...added.map(({ email }) => email), ...removed];
  return { added: added.map(({ email }) => email), removed, userIds: await findUserIds(database, changed) };
}

function requireRoom(count: number, limit: number, label = "A report"): void {
  if (count > limit)
    throw invalid(
      `${label} can be shared with at most ${limit} people by name. Remove some, or share it with an organization.`,
    );
}

/** Makes concurrent changes of the same report wait. Throws `NotFound` if it was deleted. */
export async function lockSubject(
  database: Database,
  { item, code }: Authorized<"control", ShareSubject>,
): Promise<void> {
  const locked = await database
    .updateTable("items")
    .set({ updated_at: sql`updated_at` })
    .where("id", "=", item.id)
    .executeTakeFirst();
  if (locked.numUpdatedRows === 0n) throw itemNotFound(item);
  if (code === null) return;
  const version = await database.selectFrom("versions").select("code").where("code", "=", code).executeTakeFirst();
  if (version === undefined) throw reportNotFound({ code });
}

async function removePeople(database: Database, { itemId, code }: Scope, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return [];
  const rows = await database
    .deleteFrom("shared_people")
    .where("item_id", "=", itemId)
    .where("code", code === null ? "is" : "=", code)
    .where("email", "in", emails)
    .returning("email")
    .execute();
  return rows.map(({ email }) => email);
}

async function findUserIds(database: Database, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return [];
  const rows = await database.selectFrom("users").select("id").where("email", "in", emails).execute();
  return rows.map(({ id }) => id);
}

/** Lists the organizations of the person whose workspace it is; none for an organization's workspace. */
export function listOrganizationsOf(database: Database, workspaceId: string): Promise<Organization[]> {
  return database
    .selectFrom("workspaces as personal")
    .innerJoin("memberships as host", "host.workspace_id", "personal.id")
    .innerJoin("memberships as shared", "shared.user_id", "host.user_id")
    .innerJoin("workspaces as organization", "organization.id", "shared.workspace_id")
    .select(["organization.id", "organization.slug", "organization.display_name as displayName"])
    .where("personal.id", "=", workspaceId)
    .where("personal.kind", "=", "user")
    .where("organization.kind", "=", "org")
    .orderBy("organization.slug")
    .execute();
}

/** Adds one person, unless they are there already. */
export async function addPerson(
  database: Database,
  person: Scope & { id: string; email: string; sharerId: string; now: Instant; limit: number },
): Promise<void> {
  const known = await selectPeople(database, person).select("email").execute();
  if (known.some(({ email }) => email === person.email)) return;
  requireRoom(known.length + 1, person.limit);
  await database
    .insertInto("shared_people")
    .values({
      ...{ id: person.id, item_id: person.itemId, code: person.code, email: person.email },
      ...{ sharer_id: person.sharerId, created_at: person.now },
    })
    .execute();
}
