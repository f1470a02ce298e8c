import { type Expression, type SqlBool, sql } from "kysely";
import type { SharedEntry, SharedPage, SharedPlace, SharedQuery } from "../../domain/sharing/ports.ts";
import type { Engine } from "../engine/engine.ts";
import { type Pace, unhurried } from "../engine/pace.ts";
import type { Database } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";
import { sharedItemFor } from "../model/readable.ts";
import { shownTitle } from "../model/rows.ts";

interface Found extends SharedPlace {
  sharerId: string | null;
  sharedAt: number;
}

const KEYS = { updated: "updated_at", title: "sort_title" } as const satisfies Record<SharedQuery["sort"], string>;
/** Workspaces whose newest reports one statement looks up. */
const AT_ONCE = 50;

/** Returns a page of what is shared with a person by name or by a colleague. */
export async function listShared(
  database: Database,
  engine: Engine,
  query: SharedQuery,
  pace: Pace = unhurried,
): Promise<SharedPage> {
  if (query.words.some((word) => word.includes("\0") || !word.isWellFormed())) return { entries: [], next: undefined };
  const named = await findNamed(database, engine, query);
  pace.check();
  const byColleagues = await findByColleagues(database, engine, query, pace);
  const found = merge(query, [...named, ...byColleagues]);
  const page = found.slice(0, query.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return {
    entries: await describe(database, page),
    next: last && { key: last.key, id: last.id, code: last.code },
  };
}

const keyOf = ({ sort }: SharedQuery) => sql<string | number>`${sql.ref(`items.${KEYS[sort]}`)}`;
const directionOf = ({ isDescending }: SharedQuery) => (isDescending ? ("desc" as const) : ("asc" as const));

/** Returns the condition that an entry comes after a place. */
function comesAfter(query: SharedQuery, code: Expression<string>): Expression<SqlBool> | undefined {
  const { after, isDescending } = query;
  if (after === undefined) return undefined;
  const comparison = sql.raw(isDescending ? "<" : ">");
  return sql<SqlBool>`(${keyOf(query)}, items.id, ${code}) ${comparison} (${after.key}, ${after.id}, ${after.code})`;
}

function hasWords(engine: Engine, { words }: SharedQuery): Expression<SqlBool>[] {
  return words.map((word) => engine.contains(sql.ref("items.search_text"), word));
}

/** Finds what is shared with the person by name, except what is their own. */
async function findNamed(database: Database, engine: Engine, query: SharedQuery): Promise<Found[]> {
  const { person, ownerSlug, limit } = query;
  if (person.verifiedEmail === null) return [];
  const code = sql<string>`coalesce(shared_people.code, '')`;
  const rest = comesAfter(query, code);
  return database
    .selectFrom("shared_people")
    .innerJoin("items", "items.id", "shared_people.item_id")
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .select([
      "items.id",
      keyOf(query).as("key"),
      code.as("code"),
      "shared_people.sharer_id as sharerId",
      "shared_people.created_at as sharedAt",
    ])
    .where("shared_people.email", "=", person.verifiedEmail)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("memberships as own")
            .select("own.user_id")
            .whereRef("own.workspace_id", "=", "items.workspace_id")
            .where("own.user_id", "=", person.userId)
            .where("workspaces.kind", "=", sql.lit("user")),
        ),
      ),
    )
    .$if(ownerSlug !== undefined, (named) => named.where("workspaces.slug", "=", ownerSlug ?? ""))
    .where(({ and }) => and([...hasWords(engine, query), ...(rest === undefined ? [] : [rest])]))
    .orderBy("key", directionOf(query))
    .orderBy("items.id", directionOf(query))
    .orderBy("code", directionOf(query))
    .limit(limit + 1)
    .execute();
}

/**
 * Finds what colleagues share from their own workspaces: first the workspaces whose first reports come first, then those
 * reports. So it reads few rows of each workspace, however many reports there are.
 */
async function findByColleagues(database: Database, engine: Engine, query: SharedQuery, pace: Pace): Promise<Found[]> {
  const needed = query.limit + 1;
  const colleagues = selectColleagues(database, query);
  const first = shareable(database, engine, query)
    .select(keyOf(query).as("key"))
    .where("items.workspace_id", "=", sql<string>`colleagues.id`)
    .limit(1);
  const leading = await database
    .with(
      (cte) => cte("colleagues").materialized(),
      () => colleagues,
    )
    .selectFrom((from) =>
      from
        .selectFrom("colleagues")
        .select(["colleagues.id", first.as("key")])
        .as("leading"),
    )
    .select("leading.id")
    .where("leading.key", "is not", null)
    .orderBy("leading.key", directionOf(query))
    .limit(needed)
    .execute();
  const found: Found[] = [];
  for (let start = 0; start < leading.length; start += AT_ONCE) {
    pace.check();
    const [head, ...others] = leading.slice(start, start + AT_ONCE).map(({ id }) =>
      database
        .selectFrom(
          shareable(database, engine, query)
            .select([
              "items.id",
              keyOf(query).as("key"),
              sql<string>`''`.as("code"),
              "items.creator_id as sharerId",
              sql<number>`coalesce(items.shared_at, items.created_at)`.as("sharedAt"),
            ])
            .where("items.workspace_id", "=", id)
            .limit(needed)
            .as("page"),
        )
        .selectAll(),
    );
    if (head !== undefined) {
      found.push(...(await others.reduce((all, one) => all.unionAll(one), head).execute()));
    }
  }
  return found;
}

/** Selects the workspaces of the people who share an organization with the person. */
function selectColleagues(database: Database, { person, ownerSlug }: SharedQuery) {
  return database
    .selectFrom("memberships as own")
    .innerJoin("workspaces as organization", "organization.id", "own.workspace_id")
    .innerJoin("memberships as other", "other.workspace_id", "organization.id")
    .innerJoin("memberships as host", "host.user_id", "other.user_id")
    .innerJoin("workspaces as personal", "personal.id", "host.workspace_id")
    .select("personal.id")
    .distinct()
    .where("own.user_id", "=", person.userId)
    .where("organization.kind", "=", "org")
    .where("personal.kind", "=", "user")
    .where("other.user_id", "<>", person.userId)
    .$if(ownerSlug !== undefined, (query) => query.where("personal.slug", "=", ownerSlug ?? ""));
}

/** Selects the items that the person may read because a colleague shares them, in the order of the page. */
function shareable(database: Database, engine: Engine, query: SharedQuery) {
  const rest = comesAfter(query, sql<string>`''`);
  return (
    database
      .selectFrom("items")
      .innerJoin("versions", "versions.code", "items.current_code")
      .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
      // A literal, because the index is of these items alone.
      .where("items.visibility", "=", sql.lit("org"))
      .where(({ and }) => and([...hasWords(engine, query), ...(rest === undefined ? [] : [rest])]))
      .where(sharedItemFor(query.person))
      .orderBy(keyOf(query), directionOf(query))
      .orderBy("items.id", directionOf(query))
  );
}

/** Returns the entries of a page and the next one, each once, in order. What is shared by name comes first. */
function merge({ isDescending, limit }: SharedQuery, found: readonly Found[]): Found[] {
  const entries = new Map<string, Found>();
  for (const entry of found) {
    const id = `${entry.id} ${entry.code}`;
    if (!entries.has(id)) entries.set(id, entry);
  }
  const sign = isDescending ? -1 : 1;
  return [...entries.values()].sort((one, other) => sign * compare(one, other)).slice(0, limit + 1);
}

function compare(one: SharedPlace, other: SharedPlace): number {
  if (one.key !== other.key) return isBelow(one.key, other.key) ? -1 : 1;
  if (one.id !== other.id) return one.id - other.id;
  return one.code === other.code ? 0 : isBelow(one.code, other.code) ? -1 : 1;
}

/** Compares as the databases do: texts by code point, which UTF-8 keeps. */
const isBelow = (one: string | number, other: string | number): boolean =>
  typeof one === "string" ? Buffer.compare(Buffer.from(one), Buffer.from(String(other))) < 0 : one < Number(other);

async function describe(database: Database, page: readonly Found[]): Promise<SharedEntry[]> {
  if (page.length === 0) return [];
  const rows = await database
    .selectFrom("items")
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .innerJoin("versions", "versions.item_id", "items.id")
    .leftJoin("thumbnails", "thumbnails.code", "versions.code")
    .select([
      "items.id",
      "items.name",
      "items.current_code as currentCode",
      "versions.code",
      shownTitle.as("title"),
      "versions.visibility as versionVisibility",
      "items.visibility",
      "workspaces.slug as ownerSlug",
      "workspaces.display_name as ownerName",
      "thumbnails.digest as thumbnail",
      "items.created_at as createdAt",
      "items.updated_at as updatedAt",
    ])
    .where(({ or, and, eb, ref }) =>
      or(
        page.map(({ id, code }) =>
          and([eb("items.id", "=", id), eb("versions.code", "=", code === "" ? ref("items.current_code") : code)]),
        ),
      ),
    )
    .execute();
  const sharers = await findCreators(database, new Set(page.flatMap(({ sharerId }) => sharerId ?? [])));
  const byPlace = new Map(rows.map((row) => [`${row.id} ${row.code}`, row]));
  const current = new Map(rows.filter((row) => row.code === row.currentCode).map((row) => [row.id, row]));
  return page.flatMap(({ id, code, sharerId, sharedAt }) => {
    const row = code === "" ? current.get(id) : byPlace.get(`${id} ${code}`);
    if (row === undefined) return [];
    const { id: _, currentCode: _current, versionVisibility, ...shown } = row;
    const isVersion = code !== "";
    return [
      {
        ...shown,
        isVersion,
        visibility: isVersion ? versionVisibility : row.visibility,
        sharedBy: (sharerId === null ? undefined : sharers.get(sharerId)) ?? null,
        sharedAt,
      },
    ];
  });
}
