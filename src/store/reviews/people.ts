import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import { governs } from "../../domain/model/access.ts";
import { type Instant, ROLES } from "../../domain/model/entities.ts";
import type { Candidate, CandidateQuery, CommentAuthor, ReadScope } from "../../domain/reviews/ports.ts";
import { ALL_ORGANIZATIONS } from "../../domain/sharing/ports.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { readableItemBy } from "../model/readable.ts";
import { visibleIn } from "./threads.ts";

const GOVERNING = ROLES.filter((role) => governs({ role }));

export async function listParticipants(database: Database, threadId: string): Promise<string[]> {
  const rows = await database
    .selectFrom("comments")
    .select("author_id")
    .distinct()
    .where("thread_id", "=", threadId)
    .where("author_id", "is not", null)
    .execute();
  return rows.flatMap(({ author_id }) => author_id ?? []);
}

export async function listAuthors(database: Database, scope: ReadScope): Promise<string[]> {
  const rows = await database
    .selectFrom("threads")
    .innerJoin("comments", "comments.thread_id", "threads.id")
    .select("comments.author_id as id")
    .distinct()
    .where(visibleIn(scope))
    .where("comments.author_id", "is not", null)
    .execute();
  return rows.flatMap(({ id }) => id ?? []);
}

export async function countRecent(
  database: Database,
  { author, since }: { author: CommentAuthor; since: Instant },
): Promise<number> {
  const row = await database
    .selectFrom("comments")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .$call((query) =>
      author.guest === undefined
        ? query.where("author_id", "=", author.userId)
        : query.where("guest_link_id", "=", author.guest.linkId),
    )
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Selects users with their own workspaces. */
const selectPeople = (database: Database, { q, slugs, amongIds, limit }: CandidateQuery) =>
  database
    .selectFrom("users")
    .innerJoin("memberships as self", "self.user_id", "users.id")
    .innerJoin("workspaces as home", "home.id", "self.workspace_id")
    .select(["users.id as userId", "home.slug", "users.name as displayName"])
    .where("home.kind", "=", "user")
    .where("users.disabled_at", "is", null)
    .$if(q !== "", (query) => query.where(contains(q)))
    .$if(slugs !== undefined, (query) => query.where("home.slug", "in", [...(slugs ?? [])]))
    .$if(amongIds !== undefined, (query) => query.where("users.id", "in", [...(amongIds ?? [])]))
    .orderBy("home.slug")
    .limit(limit);

const contains = (q: string) => {
  const pattern = `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`(lower(coalesce(users.name, '')) like ${pattern} escape '\\' or home.slug like ${pattern} escape '\\')`;
};

/** Returns people who can read a report as it is now: members, people it is shared with by name, and colleagues. */
export async function listCandidates(database: Database, query: CandidateQuery): Promise<Candidate[]> {
  if (query.slugs?.length === 0 || query.amongIds?.length === 0) return [];
  const all = (
    await Promise.all([
      selectPeople(database, query).where(isMember(query.itemId)).execute(),
      selectPeople(database, query).where(isNamed(query.itemId)).execute(),
      selectPeople(database, query).where(isColleague(query.itemId)).execute(),
    ])
  ).flat();
  const byId = new Map(all.map((person) => [person.userId, person]));
  return [...byId.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1)).slice(0, query.limit);
}

const where = expressionBuilder<Schema, "users">();

const isMember = (itemId: number): Expression<SqlBool> =>
  where.exists(
    where
      .selectFrom("items")
      .innerJoin("memberships", "memberships.workspace_id", "items.workspace_id")
      .select("items.id")
      .where("items.id", "=", itemId)
      .whereRef("memberships.user_id", "=", "users.id")
      .where(
        readableItemBy({
          userId: sql<string>`users.id`,
          governs: sql<SqlBool>`memberships.role in (${sql.join(GOVERNING.map((role) => sql.lit(role)))})`,
        }),
      ),
  );

const isNamed = (itemId: number): Expression<SqlBool> =>
  where.exists(
    where
      .selectFrom("shared_people")
      .select("shared_people.id")
      .where("shared_people.item_id", "=", itemId)
      .where("shared_people.code", "is", null)
      .whereRef("shared_people.email", "=", "users.email")
      .where(sql<SqlBool>`users.email_verified = 1`),
  );

const isColleague = (itemId: number): Expression<SqlBool> =>
  where.exists(
    where
      .selectFrom("items")
      .innerJoin("versions", "versions.code", "items.current_code")
      .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
      .innerJoin("memberships as host", "host.workspace_id", "workspaces.id")
      .innerJoin("memberships as shared", "shared.user_id", "host.user_id")
      .innerJoin("workspaces as organization", "organization.id", "shared.workspace_id")
      .innerJoin("memberships as own", "own.workspace_id", "organization.id")
      .select("items.id")
      .where("items.id", "=", itemId)
      .where("items.visibility", "=", "org")
      .where("versions.visibility", "=", "org")
      .where("workspaces.kind", "=", "user")
      .where("organization.kind", "=", "org")
      .whereRef("own.user_id", "=", "users.id")
      .where(
        sql<SqlBool>`coalesce(items.organization_id, ${ALL_ORGANIZATIONS}) in (${ALL_ORGANIZATIONS}, organization.id)`,
      )
      .where(
        sql<SqlBool>`coalesce(versions.organization_id, items.organization_id, ${ALL_ORGANIZATIONS}) in (${ALL_ORGANIZATIONS}, organization.id)`,
      ),
  );
