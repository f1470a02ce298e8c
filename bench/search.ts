import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { searchRoute } from "../src/contract/search/search.ts";
import type { Scope } from "../src/domain/model/entities.ts";
import type { Search, SearchPlace } from "../src/domain/search/ports.ts";
import { createSearch } from "../src/domain/search/search.ts";
import { wordsOf } from "../src/domain/search/search-text.ts";
import { createCursors } from "../src/hosts/http/cursors.ts";
import { type Engine, postgresEngine, sqliteEngine } from "../src/store/engine/engine.ts";
import type { Database, Schema } from "../src/store/engine/schema.ts";
import { Connection } from "../src/store/engine/sqlite/connection.ts";
import { kyselyOver } from "../src/store/engine/sqlite/dialect.ts";
import { describeItems } from "../src/store/search/describe.ts";
import { search } from "../src/store/search/search.ts";
import { buildSearch } from "../test/store/search/build-search.ts";
import { postgresUnavailable, startPostgres } from "../test/support/postgres.ts";
import { type Bench, progress } from "./support/bench.ts";
import { measureBesideSlow } from "./support/beside-slow.ts";
import { openPostgresBulk, openSqliteBulk } from "./support/bulk.ts";
import { encodeRequest, openConnection, timeRequests } from "./support/client.ts";
import { type Dialect, floorsOf, type RunSql } from "./support/floors.ts";
import { measureOrderCalls, measurePublishing } from "./support/order-calls.ts";
import { ORDINARY, type SearchKind, SLOWEST, searchKinds } from "./support/search-kinds.ts";
import { seedOrder } from "./support/seed-order.ts";
import { median, percentile } from "./support/statistics.ts";
import { compare, figure, formatTable, type Row, unmeasured } from "./support/table.ts";
import { addMember, measureTaxonomy } from "./support/taxonomy.ts";
import { createSite, type Site, startVitrine } from "./support/vitrine.ts";

const ROUNDS = 40;
/** Rounds are repeated up to this time, because a slow statement needs fewer of them. */
const ROUNDS_MILLISECONDS = 5_000;
const ROUNDS_AT_LEAST = 5;
const CONNECTIONS = 4;
const SECRET = "a secret of the benches alone, of some length";
const INT8_OID = 20;
const SIZES = [
  { count: 100_000, milliseconds: 10 },
  { count: 1_000_000, milliseconds: 40 },
] as const;

/** A filled database, with access through the server, the store and hand-written SQL. */
interface Side {
  name: string;
  engine: Engine;
  dialect: Dialect;
  database: Database;
  run: RunSql;
  site: Site;
  /** An empty database. */
  emptyDatabaseUrl?: string;
  close(): Promise<void>;
}

interface Workspace {
  id: string;
  userId: string;
  code: string;
}

async function findWorkspace({ database }: Side): Promise<Workspace> {
  const { user_id: userId, workspace_id: id } = await database
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["memberships.user_id", "memberships.workspace_id"])
    .where("workspaces.slug", "=", "bench")
    .where("memberships.role", "=", "owner")
    .executeTakeFirstOrThrow();
  const { code } = await database.selectFrom("versions").select("code").limit(1).executeTakeFirstOrThrow();
  return { id, userId, code };
}

const toSearch = ({ id, userId }: Workspace, { q = "", search: more }: SearchKind): Search =>
  buildSearch({ workspaceId: id, reader: { userId, role: "owner" }, words: wordsOf(q), ...more });

/** Returns the cursor that the server returns with the previous page. */
async function cursorOf(
  { id, userId }: Workspace,
  { q = "" }: SearchKind,
  wanted: Search,
): Promise<[string, string][]> {
  const { after, workspaceId: _, reader: __, words: ___, limit, ...filters } = wanted;
  if (after === undefined) return [];
  const membership = { id, slug: "bench", kind: "user", displayName: null, plan: "pro", role: "owner" } as const;
  const caller = {
    userId,
    verifiedEmail: null,
    workspace: membership,
    memberships: [membership],
    scopes: new Set<Scope>(),
    credentialId: "",
    isOperator: false,
  };
  const cursors = createCursors<SearchPlace>({ secret: SECRET });
  const store = {
    search: { search: async () => ({ items: [], next: after, unindexed: 0 }), updateIndex: async () => 0 },
  };

  const query = { ownerSlug: "bench", q, ...filters, cursor: undefined, limit };
  const { nextCursor } = await createSearch({ store, cursors, updateIndexSoon: () => undefined }).find(caller, query);
  return [["cursor", nextCursor ?? ""]];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Measures the store and the best of the hand-written statements in turns, for at most 40 rounds or 5 seconds. */
async function measureStore({ engine, dialect, database, run }: Side, wanted: Search) {
  const floors = floorsOf(dialect, wanted).map((floor) => async () => {
    const ids = await run(floor.text, floor.parameters);
    await describeItems(
      database,
      engine,
      ids.slice(0, 50).map(({ id }) => id),
    );
  });
  const best = await fastestOf(floors);
  const measured: number[] = [];
  const against: number[] = [];
  const end = performance.now() + ROUNDS_MILLISECONDS;
  for (let round = 0; round < ROUNDS && (round < ROUNDS_AT_LEAST || performance.now() < end); round++) {
    measured.push(await timed(() => search(database, engine, wanted)));
    against.push(await timed(best));
  }
  return { measured: [median(measured)], against: [median(against)] };
}

/** Returns the work that takes the least time, by the faster of two tries: the first one reads from the disk. */
async function fastestOf(works: readonly (() => Promise<unknown>)[]): Promise<() => Promise<unknown>> {
  const tries: { work: () => Promise<unknown>; duration: number }[] = [];
  for (const work of works) tries.push({ work, duration: Math.min(await timed(work), await timed(work)) });
  const [fastest] = tries.toSorted((one, other) => one.duration - other.duration);
  if (fastest === undefined) throw new Error("There is nothing to compare the search with.");
  return fastest.work;
}

async function encodeSearch({ site }: Side, workspace: Workspace, kind: SearchKind): Promise<Uint8Array> {
  const place = await cursorOf(workspace, kind, toSearch(workspace, kind));
  const path = `${searchRoute.path}?${new URLSearchParams([["owner", "bench"], ...kind.query, ...place])}`;
  return encodeRequest({ method: "GET", path, token: site.token });
}

/** Times a search on new connections at the same time. The server would close them if they waited for their turn. */
async function timeOn(count: number, url: string, request: Uint8Array): Promise<number[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(url)));
  const requests = Array.from({ length: ROUNDS }, () => request);
  const times = await Promise.all(connections.map((connection) => timeRequests(connection, requests)));
  for (const connection of connections) connection.close();
  return times.flat();
}

async function measureKind(
  side: Side,
  workspace: Workspace,
  { kind, size, url }: { kind: SearchKind; size: Size; url: string },
) {
  const request = await encodeSearch(side, workspace, kind);
  const alone = await timeOn(1, url, request);
  const atOnce = await timeOn(CONNECTIONS, url, request);
  const rounds = await measureStore(side, toSearch(workspace, kind));
  const name = `${size.count.toLocaleString("en")} items, ${side.name}: ${kind.name}`;
  const bound = { atMost: size.milliseconds };
  const p95 = percentile(alone, 0.95);
  const rows = [
    figure({ name: `${name}, p95`, unit: "ms", measured: p95, bound }),
    figure({
      name: `${name}, p95 on ${CONNECTIONS} connections`,
      unit: "ms",
      measured: percentile(atOnce, 0.95),
      bound,
    }),
    compare({ name: `${name}, in the store`, unit: "ms", ...rounds, peer: "by hand", bound: { atMost: 2 } }),
  ];
  return { rows, p95, request };
}

type Size = (typeof SIZES)[number];

async function measureSide(side: Side, size: Size): Promise<Row[]> {
  const workspace = await findWorkspace(side);
  const vitrine = await startVitrine(side.site, { VITRINE_SECRET: SECRET });
  const rows: Row[] = [];
  // The table of all takes an hour, and would be lost if a later part fails.
  const add = (...some: readonly Row[]) => {
    progress(formatTable(some));
    rows.push(...some);
  };
  const { baseUrl: url } = vitrine;
  const measured: { request: Uint8Array; p95: number }[] = [];
  for (const kind of searchKinds(workspace.code)) {
    const { rows: some, ...search } = await measureKind(side, workspace, { kind, size, url });
    add(...some);
    measured.push(search);
  }
  const name = `${size.count.toLocaleString("en")} items, ${side.name}`;
  add(...(await measureTaxonomy(name, { ...side, vitrine })));
  const slowest = measured.toSorted((one, other) => other.p95 - one.p95).slice(0, CONNECTIONS - 1);
  add(
    await measureBesideSlow({
      name: `${name}: ordinary search beside ${CONNECTIONS} clients with the slowest, p95`,
      url,
      ordinary: await encodeSearch(side, workspace, ORDINARY),
      slow: [await encodeSearch(side, workspace, SLOWEST), ...slowest.map(({ request }) => request)],
    }),
  );
  if (size.count === SIZES[0].count) add(...(await measureOrderCalls(name, side.database, vitrine)));
  add(await measurePublishing(name, vitrine, side.emptyDatabaseUrl));
  await vitrine.stop();
  await side.close();
  return rows;
}

/** Measures a cabinet without reports. */
async function measureEmpty(side: Side): Promise<Row[]> {
  const vitrine = await startVitrine(side.site);
  const rows = await measureTaxonomy(`0 items, ${side.name}`, { ...side, vitrine });
  await vitrine.stop();
  await side.close();
  return rows;
}

const sqliteDialect: Dialect = {
  contains: (column) => `instr(${column}, ?) > 0`,
  hasGrams: (table) => `${table} match ?`,
  grams: (keys) => keys.join(" "),
};

async function fillSqlite({ count }: { count: number }): Promise<Side> {
  const site = await createSite();
  const joining = await addMember(site);
  const bulk = openSqliteBulk(site.dataDir);
  await bulk.run(joining);
  await seedOrder(bulk, count);
  await bulk.finish();
  const connection = new Connection(join(site.dataDir, "vitrine.db"), { readonly: true });
  connection.run("pragma cache_size = -32768");
  connection.run("pragma mmap_size = 268435456");
  return {
    name: "SQLite",
    engine: sqliteEngine,
    dialect: sqliteDialect,
    database: kyselyOver(connection),
    run: async (text, parameters) =>
      connection.query<{ id: number }, (string | number)[]>(text).all(...parameters.map((value) => value as string)),
    site,
    close: async () => connection.close(),
  };
}

const postgresDialect: Dialect = {
  contains: (column) => `strpos(${column}, ?) > 0`,
  hasGrams: () => "string_to_array(grams, ' ')::integer[] @> ?::integer[]",
  grams: (keys) => `{${keys.join(",")}}`,
};

async function fillPostgres(url: string, emptyDatabaseUrl: string, { count }: { count: number }): Promise<Side> {
  const site = await createSite(url);
  const joining = await addMember(site);
  const bulk = await openPostgresBulk(url);
  await bulk.run(joining);
  await seedOrder(bulk, count);
  await bulk.finish();
  const getTypeParser = (oid: number, format?: "text" | "binary") =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format);
  const pool = new pg.Pool({ connectionString: url, max: 1, types: { getTypeParser } });
  return {
    name: "PostgreSQL",
    emptyDatabaseUrl,
    engine: postgresEngine,
    dialect: postgresDialect,
    database: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    run: async (text, parameters) => {
      let position = 0;
      const numbered = text.replaceAll("?", () => `$${++position}`);
      return (await pool.query<{ id: number }>(numbered, [...parameters])).rows;
    },
    site,
    close: () => pool.end(),
  };
}

/** Measures each kind of search in a large workspace, compared to hand-written SQL. */
const searchAt =
  (size: Size): Bench =>
  async () => {
    progress(`  ${size.count} items, SQLite`);
    const isFirst = size.count === SIZES[0].count;
    const rows = isFirst ? await measureEmpty(await fillSqlite({ count: 0 })) : [];
    rows.push(...(await measureSide(await fillSqlite(size), size)));
    const unavailable = postgresUnavailable();
    if (unavailable !== undefined) return [...rows, unmeasured("search, PostgreSQL", "skipped", unavailable)];
    progress(`  ${size.count} items, PostgreSQL`);
    await using server = await startPostgres({ durable: true });
    const fill = async (filled: { count: number }) =>
      fillPostgres(await server.createDatabase(), await server.createDatabase(), filled);
    if (isFirst) rows.push(...(await measureEmpty(await fill({ count: 0 }))));
    return [...rows, ...(await measureSide(await fill(size), size))];
  };

export const searchThousands = searchAt(SIZES[0]);
export const searchMillion = searchAt(SIZES[1]);
