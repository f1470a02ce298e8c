import { sql } from "kysely";
import { taxonomyRoute } from "../../src/contract/cabinet/cabinet.ts";
import { tagItemsRoute } from "../../src/contract/cabinet/items.ts";
import type { Reader } from "../../src/domain/model/entities.ts";
import { readTaxonomy } from "../../src/store/cabinet/taxonomy.ts";
import type { Engine } from "../../src/store/engine/engine.ts";
import type { Database } from "../../src/store/engine/schema.ts";
import { readableItem } from "../../src/store/model/readable.ts";
import { encodeRequest, openConnection, timeRequests } from "./client.ts";
import { percentile } from "./statistics.ts";
import { compare, figure, type Row } from "./table.ts";
import { run } from "./tools.ts";
import { LAUNCHER, type Site, type Vitrine } from "./vitrine.ts";

const CALLS = 40;
const ROUNDS = 8;
const MEMBER = { email: "member@example.org", slug: "member" };
const MILLISECONDS = { owner: 5, member: 15 };

/** Adds a user who is to be a plain member of the site's workspace. Returns the statement that makes them one. */
export async function addMember({ environment }: Site): Promise<string> {
  const { email, slug } = MEMBER;
  await run(
    [LAUNCHER, "users", "create", "--email", email, "--slug", slug, "--password", "correct horse"],
    environment,
  );
  return `insert into memberships (workspace_id, user_id, role, created_at)
    select workspaces.id, users.id, 'member', 1 from workspaces, users
    where workspaces.slug = 'bench' and users.email = '${email}'`;
}

interface Taxonomies {
  engine: Engine;
  database: Database;
  vitrine: Vitrine;
}

/** Measures the taxonomy of an owner and of a member, after changes and without, and compares it to counting the items. */
export async function measureTaxonomy(name: string, { engine, database, vitrine }: Taxonomies): Promise<Row[]> {
  const { baseUrl, site } = vitrine;
  const { slug } = MEMBER;
  const scopes = "reports:read";
  const created = await run([LAUNCHER, "tokens", "create", "--user", slug, "--scopes", scopes], site.environment);
  const tokens = { owner: site.token, member: created.trim() };
  const item = await database
    .selectFrom("items")
    .select("current_code")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const rows: Row[] = [];
  for (const role of ["owner", "member"] as const) {
    const connection = await openConnection(baseUrl);
    const request = encodeRequest({
      method: "GET",
      path: `${taxonomyRoute.path}?owner=bench`,
      token: tokens[role],
    });
    const same = await timeRequests(
      connection,
      Array.from({ length: CALLS }, () => request),
    );
    const bound = { atMost: MILLISECONDS[role] };
    const named = `${name}: taxonomy of ${role === "owner" ? "an owner" : "a member"}`;
    rows.push(figure({ name: `${named}, p95`, unit: "ms", measured: percentile(same.slice(1), 0.95), bound }));
    if (item !== undefined) {
      const changed: number[] = [];
      for (let call = 0; call < CALLS; call++) {
        const change = { items: [{ code: item.current_code }], set: [`tag_${call % 2}`] };
        const path = tagItemsRoute.path;
        const body = JSON.stringify(change);
        await timeRequests(connection, [encodeRequest({ method: "POST", path, token: site.token, body })]);
        changed.push(...(await timeRequests(connection, [request])));
      }
      rows.push(
        figure({ name: `${named} after a change, p95`, unit: "ms", measured: percentile(changed, 0.95), bound }),
      );
    }
    connection.close();
    rows.push(await compareWithCounting(named, { engine, database }, role));
  }
  return rows;
}

async function compareWithCounting(
  name: string,
  { engine, database }: Pick<Taxonomies, "engine" | "database">,
  role: "owner" | "member",
): Promise<Row> {
  const { workspaceId, userId } = await database
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["workspaces.id as workspaceId", "memberships.user_id as userId"])
    .where("workspaces.slug", "=", "bench")
    .where("memberships.role", "=", role)
    .executeTakeFirstOrThrow();
  const reader: Reader = { userId, role };
  const [measured, against]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    measured.push(await timed(() => readTaxonomy(database, engine, { workspaceId, reader })));
    against.push(await timed(() => countOnDemand(database, workspaceId, reader)));
  }
  const rounds = { measured: measured.slice(1), against: against.slice(1) };
  return compare({ name: `${name}, in the store`, unit: "ms", ...rounds, peer: "counting", bound: { atMost: 1.2 } });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Counts the items of each folder and tag, as a server without kept counts has to. */
async function countOnDemand(database: Database, workspaceId: string, reader: Reader): Promise<void> {
  const isOwner = reader.role === "owner";
  const inFolders = isOwner
    ? sql`select id, title, search_title, drawer_id,
        (select count(*) from items where items.folder_id = folders.id) as items
        from folders where workspace_id = ${workspaceId}`
    : sql`select id, title, search_title, drawer_id, coalesce(counts.items, 0) as items
        from folders left join (
          select folder_id, count(*) as items from items
          where workspace_id = ${workspaceId} and ${readableItem(reader)} group by folder_id
        ) as counts on counts.folder_id = folders.id where workspace_id = ${workspaceId}`;
  const withTags = isOwner
    ? sql`select id, title, search_title, parent_id,
        (select count(*) from item_tags where item_tags.tag_id = tags.id) as items
        from tags where workspace_id = ${workspaceId}`
    : sql`select id, title, search_title, parent_id, coalesce(counts.items, 0) as items
        from tags left join (
          select item_tags.tag_id, count(*) as items
          from item_tags join items on items.id = item_tags.item_id
          where item_tags.workspace_id = ${workspaceId} and ${readableItem(reader)} group by item_tags.tag_id
        ) as counts on counts.tag_id = tags.id where workspace_id = ${workspaceId}`;
  const totals = sql`select count(*) as items,
    (select count(*) from (select item_id from item_tags where workspace_id = ${workspaceId} group by item_id
      order by item_id limit 9000000000) as tagged_items) as tagged
    from items where workspace_id = ${workspaceId}`;
  for (const statement of [inFolders, withTags, totals]) await statement.execute(database);
}
