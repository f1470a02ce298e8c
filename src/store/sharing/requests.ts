import { type Authorized, governs, type ShareSubject, type VersionOfItem } from "../../domain/model/access.ts";
import { type Instant, ROLES } from "../../domain/model/entities.ts";
import type { AccessRequest, NewAccessRequest } from "../../domain/sharing/ports.ts";
import type { Database } from "../engine/schema.ts";
import { selectVersionOfItem, shownTitle, toVersionOfItem } from "../model/rows.ts";
import { addPerson, lockSubject } from "./people.ts";

interface Answer {
  subject: Authorized<"control", ShareSubject>;
  id: string;
  now: Instant;
}

const GOVERNING = ROLES.filter((role) => governs({ role }));

/** Adds a request, or renews the user's last one. Returns whether anyone has to answer it who didn't have to before. */
export async function addAccessRequest(database: Database, request: NewAccessRequest): Promise<boolean> {
  const { id, itemId, code, userId, message, declinedSince, now } = request;
  const added = await database
    .insertInto("access_requests")
    .columns(["id", "item_id", "code", "user_id", "message", "created_at"])
    .expression((query) =>
      query
        .selectFrom("items")
        .select((select) => [
          select.val(id).as("id"),
          "items.id as item_id",
          select.cast<string | null>(select.val(code), "text").as("code"),
          select.val(userId).as("user_id"),
          select.cast<string | null>(select.val(message), "text").as("message"),
          select.cast<number>(select.val(now), "bigint").as("created_at"),
        ])
        .where("items.id", "=", itemId),
    )
    .onConflict((known) => known.columns(["item_id", "user_id"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows === 1n) return true;
  const renewed = await database
    .updateTable("access_requests")
    .set({ declined_at: null, code, message, created_at: now })
    .where("item_id", "=", itemId)
    .where("user_id", "=", userId)
    .where("declined_at", "<=", declinedSince)
    .executeTakeFirst();
  if (renewed.numUpdatedRows === 1n) return true;
  await database
    .updateTable("access_requests")
    .set({ message, code })
    .where("item_id", "=", itemId)
    .where("user_id", "=", userId)
    .where("declined_at", "is", null)
    .execute();
  return false;
}

/** Lists open requests for reports that a user made or whose workspaces they govern, newest first. */
export async function listAccessRequests(
  database: Database,
  { userId, limit }: { userId: string; limit: number },
): Promise<AccessRequest[]> {
  const rows = await database
    .selectFrom("memberships")
    .innerJoin("items", "items.workspace_id", "memberships.workspace_id")
    .innerJoin("access_requests", "access_requests.item_id", "items.id")
    .innerJoin("users", "users.id", "access_requests.user_id")
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .innerJoin("versions", (join) =>
      join.on(({ eb, fn, ref }) =>
        eb("versions.code", "=", fn.coalesce(ref("access_requests.code"), ref("items.current_code"))),
      ),
    )
    .select([
      "access_requests.id",
      "items.name",
      "versions.code",
      "access_requests.code as requestedCode",
      shownTitle.as("title"),
      "workspaces.slug as ownerSlug",
      "users.email",
      "users.name as displayName",
      "access_requests.message",
      "access_requests.created_at as createdAt",
    ])
    .where("memberships.user_id", "=", userId)
    .where(({ or, eb }) => or([eb("memberships.role", "in", GOVERNING), eb("items.creator_id", "=", userId)]))
    .where("access_requests.declined_at", "is", null)
    .where("users.email_verified", "=", 1)
    .where("users.disabled_at", "is", null)
    .orderBy("access_requests.created_at", "desc")
    .orderBy("access_requests.id")
    .limit(limit)
    .execute();
  return rows.map(({ requestedCode, ...request }) => ({ ...request, isVersion: requestedCode !== null }));
}

/** Returns the report that an open request asks for. */
export async function findAccessRequest(
  database: Database,
  id: string,
): Promise<{ found: VersionOfItem; code: string | null } | undefined> {
  const row = await selectVersionOfItem(database)
    .innerJoin("access_requests", "access_requests.item_id", "items.id")
    .select("access_requests.code as requested_code")
    .where("access_requests.id", "=", id)
    .where("access_requests.declined_at", "is", null)
    .where(({ eb, fn, ref }) =>
      eb("versions.code", "=", fn.coalesce(ref("access_requests.code"), ref("items.current_code"))),
    )
    .executeTakeFirst();
  return row && { found: toVersionOfItem(row), code: row.requested_code };
}

/** Shares the report with the user who asks. Returns that user; undefined if the request is over. */
export async function acceptAccessRequest(
  database: Database,
  answer: Answer & { personId: string; sharerId: string; limit: number },
): Promise<{ userId: string; email: string } | undefined> {
  const { subject, id, personId, sharerId, limit, now } = answer;
  await lockSubject(database, subject);
  const request = await database
    .deleteFrom("access_requests")
    .where("id", "=", id)
    .where("item_id", "=", subject.item.id)
    .where("declined_at", "is", null)
    .returning("user_id as userId")
    .executeTakeFirst();
  if (request === undefined) return undefined;
  const user = await database
    .selectFrom("users")
    .select("email")
    .where("id", "=", request.userId)
    .where("email_verified", "=", 1)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const scope = { itemId: subject.item.id, code: subject.code };
  await addPerson(database, { ...scope, id: personId, email: user.email, sharerId, now, limit });
  return { userId: request.userId, email: user.email };
}

/** Returns whether the request was open. */
export async function declineAccessRequest(database: Database, { subject, id, now }: Answer): Promise<boolean> {
  const declined = await database
    .updateTable("access_requests")
    .set({ declined_at: now })
    .where("id", "=", id)
    .where("item_id", "=", subject.item.id)
    .where("declined_at", "is", null)
    .executeTakeFirst();
  return declined.numUpdatedRows === 1n;
}

/** Lists those who can answer requests for a report: who made it, and who governs its workspace. */
export function listAnswerers(database: Database, itemId: number): Promise<{ userId: string; email: string }[]> {
  return database
    .selectFrom("items")
    .innerJoin("memberships", "memberships.workspace_id", "items.workspace_id")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id as userId", "users.email"])
    .where("items.id", "=", itemId)
    .where(({ or, eb, ref }) =>
      or([eb("memberships.role", "in", GOVERNING), eb("items.creator_id", "=", ref("users.id"))]),
    )
    .where("users.disabled_at", "is", null)
    .orderBy("users.id")
    .limit(20)
    .execute();
}
