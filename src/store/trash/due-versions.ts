import { type Expression, type SqlBool, sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import { combineLimits, isSamePlace } from "../../domain/trash/limits.ts";
import type { DuePage, DueQuery, DueVersion, PlannedRule, RetentionPlace } from "../../domain/trash/ports.ts";
import type { Engine } from "../engine/engine.ts";
import { preparedOver, type Source } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { readRules } from "./rules.ts";

/** Days that a report keeps, in milliseconds. */
const DAY = 24 * 60 * 60_000;
/** Reports looked at by one query. */
const ITEMS_AT_ONCE = 50;
/** Reports looked at by one call, so that it ends soon. */
const ITEMS_PER_CALL = 2_000;

/** The versions that no rule deletes. Capabilities add a condition on `versions` and `items` for each of theirs. */
const KEPT_ANYWAY: readonly Expression<SqlBool>[] = [
  sql<boolean>`versions.code = items.current_code`,
  sql<boolean>`versions.protected_at is not null`,
  sql<boolean>`items.protected_at is not null`,
  sql<boolean>`exists (select 1 from guest_links
    where guest_links.item_id = items.id and guest_links.code = versions.code)`,
  sql<boolean>`exists (select 1 from threads
    where threads.item_id = items.id and threads.version_code = versions.code)`,
];

interface RetainedItem {
  id: number;
  name: string | null;
  folderId: string | null;
  tagIds: readonly string[];
}

/** Returns versions that the rules of a workspace no longer keep, by report and number. */
export const findDueVersions = async (database: Database, _: Engine, query: DueQuery): Promise<DuePage> =>
  findDueBy(database, { ...query, rules: await readRules(database, query.workspaceId) });

/** Returns versions that these rules don't keep, by report and number. */
export const previewRetention = (database: Database, _: Engine, query: Planned): Promise<DuePage> =>
  findDueBy(database, query);

type Planned = DueQuery & { rules: readonly PlannedRule[]; only?: RetentionPlace };

async function findDueBy(database: Database, query: Planned): Promise<DuePage> {
  const { workspaceId, after, limit } = query;
  const due: DueVersion[] = [];
  // The report of the last version may have more.
  let lastId = after.itemId - 1;
  for (let looked = 0; looked < ITEMS_PER_CALL; looked += ITEMS_AT_ONCE) {
    const items = await readItems(database, workspaceId, lastId);
    for (const item of items) {
      due.push(...(await findDueOf(database, item, { ...query, limit: limit - due.length })));
      const last = due.at(-1);
      if (last !== undefined && due.length >= limit) {
        return { due, next: { itemId: last.itemId, versionNo: last.versionNo } };
      }
      lastId = item.id;
    }
    if (items.length < ITEMS_AT_ONCE) return { due, next: undefined };
  }
  return { due, next: { itemId: lastId + 1, versionNo: 0 } };
}

/** Returns the next versions of one report that its rules don't keep, unless the query leaves the report out. */
async function findDueOf(
  database: Database,
  item: RetainedItem,
  { rules, only, after, limit, now }: Planned,
): Promise<DueVersion[]> {
  const applying = rulesFor(item, rules);
  if (only !== undefined && !applying.some(({ place }) => isSamePlace(place, only))) return [];
  const afterNo = item.id === after.itemId ? after.versionNo : 0;
  const rows = await findDue(database, item.id, { rules: applying, afterNo, limit, now });
  return rows.map(({ code, title, version_no, size, created_at }) => ({
    itemId: item.id,
    name: item.name,
    code,
    title,
    versionNo: version_no,
    size,
    createdAt: created_at,
  }));
}

/** Returns the next reports that may have several versions, with their tags. */
async function readItems(database: Database, workspaceId: string, afterId: number): Promise<RetainedItem[]> {
  const items = await database
    .selectFrom("items")
    .select(["id", "name", "folder_id as folderId"])
    .where("workspace_id", "=", workspaceId)
    .where("name", "is not", null)
    .where("last_version_no", ">", 1)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(ITEMS_AT_ONCE)
    .execute();
  return withTags(database, items);
}

/** Adds the tags of reports. */
export async function withTags(
  database: Database,
  items: readonly Omit<RetainedItem, "tagIds">[],
): Promise<RetainedItem[]> {
  if (items.length === 0) return [];
  const pairs = await database
    .selectFrom("item_tags")
    .select(["item_id", "tag_id"])
    .where(
      "item_id",
      "in",
      items.map(({ id }) => id),
    )
    .execute();
  const tags = Map.groupBy(pairs, ({ item_id }) => item_id);
  return items.map((item) => ({ ...item, tagIds: (tags.get(item.id) ?? []).map(({ tag_id }) => tag_id) }));
}

/** Returns the rules that apply to a report: those of its folder and tags or, without them, that of the workspace. */
export function rulesFor<Rule extends PlannedRule>(
  { folderId, tagIds }: Pick<RetainedItem, "folderId" | "tagIds">,
  rules: readonly Rule[],
): Rule[] {
  const specific = rules.filter(
    ({ place }) =>
      (place.kind === "folder" && place.id === folderId) || (place.kind === "tag" && tagIds.includes(place.id)),
  );
  return specific.length > 0 ? specific : rules.filter(({ place }) => place.kind === "workspace");
}

interface DueLimits {
  id: number;
  afterNo: number;
  /** How many of the newest versions stay. */
  keep: number;
  until: Instant;
  limit: number;
}

const selectDue = preparedOver((database, given: Source<DueLimits>) =>
  database
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .select(["code", "versions.title", "version_no", "size", "versions.created_at"])
    .select(["versions.visibility", "versions.organization_id"])
    .where("item_id", "=", given("id"))
    .where("version_no", ">", given("afterNo"))
    .where("version_no", "<=", ({ selectFrom }) =>
      selectFrom("versions as newest")
        .select("newest.version_no")
        .where("newest.item_id", "=", given("id"))
        .orderBy("newest.version_no", "desc")
        .offset(sql<number>`${given("keep")}`)
        .limit(sql.lit(1)),
    )
    .where("versions.created_at", "<=", given("until"))
    .where(({ not, or }) => not(or([...KEPT_ANYWAY])))
    .orderBy("version_no")
    .limit(sql<number>`${given("limit")}`),
);

interface Conditions {
  rules: readonly PlannedRule[];
  afterNo: number;
  limit: number;
  now: Instant;
}

/** Returns the versions of a report that its rules don't keep, by number. */
export async function findDue(database: Database, id: number, { rules, afterNo, limit, now }: Conditions) {
  const limits = combineLimits(rules);
  if (limits === undefined || limit <= 0) return [];
  return selectDue(database, { id, afterNo, keep: limits.keep, until: now - limits.days * DAY, limit });
}
