import { expect, test } from "bun:test";
import { Kysely, sql } from "kysely";
import { Client } from "pg";
import { hasLostDatabase } from "../../../src/store/engine/engine.ts";
import { dialectOver } from "../../../src/store/engine/postgres/guarded-connections.ts";
import { openPool, timeoutsWithin } from "../../../src/store/engine/postgres/pool.ts";
import { createTestDatabase } from "../../support/engines.ts";
import { createRecordingLog } from "../../support/log.ts";
import { postgresUnavailable, sharedPostgres } from "../../support/postgres.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { failureOf } from "../support.ts";

const CODE = "NoSuchReportHere";
/** More than there are connections. */
const READS = 30;

describeIf("prepared queries on postgres", postgresUnavailable(), () => {
  test("continue when a migration by another replica changes the columns that they read", async () => {
    const database = await createTestDatabase("postgres");
    const store = await database.openStore();
    const admin = new Client({ connectionString: database.databaseUrl });
    await admin.connect();
    const readOften = () => Promise.all(Array.from({ length: READS }, () => store.reports.findServedState(CODE)));
    const nothing = Array.from({ length: READS }, () => undefined);
    try {
      expect(await readOften()).toEqual(nothing);
      await admin.query("alter table versions alter column visibility type varchar(20)");
      expect(await readOften()).toEqual(nothing);
      expect(await readOften()).toEqual(nothing);
    } finally {
      await admin.end();
      await store.close();
      await database.remove();
    }
  });
});

/** Opens a single connection, so that each query shows what the one before left behind. */
async function openOne(timeouts = timeoutsWithin(5_000)) {
  const url = await (await sharedPostgres()).createDatabase();
  const pool = openPool(url, { max: 1, timeouts });
  const database = new Kysely<unknown>({ dialect: dialectOver(pool) });
  return { url, pool, database, [Symbol.asyncDispose]: database.destroy.bind(database) };
}

const backend = async (database: Kysely<unknown>) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)).rows[0]?.pid;

describeIf("a connection to PostgreSQL", postgresUnavailable(), () => {
  test("is reused after queries that the database refused", async () => {
    await using one = await openOne();
    const first = await backend(one.database);
    await failureOf(sql`select 1 / 0`.execute(one.database));
    await failureOf(one.database.transaction().execute((transaction) => sql`select 1 / 0`.execute(transaction)));
    expect(await backend(one.database)).toBe(first);
  });

  test("is reused after the database has cancelled a statement", async () => {
    await using one = await openOne({ ...timeoutsWithin(20_000), statement: 100 });
    const first = await backend(one.database);
    const failure = await failureOf(sql`select pg_sleep(60)`.execute(one.database));
    expect(failure).toMatchObject({ code: "57014" });
    expect(await backend(one.database)).toBe(first);
  });

  test("is closed after an abandoned query, and later queries fail at once", async () => {
    await using one = await openOne({ connect: 20_000, query: 1_000, statement: 0, idleInTransaction: 0 });
    const first = await backend(one.database);
    const failure = await failureOf(
      one.database.transaction().execute(async (transaction) => {
        const lost = await failureOf(sql`select pg_sleep(60)`.execute(transaction));
        expect(await failureOf(sql`select 1`.execute(transaction))).toBe(lost);
        throw lost;
      }),
    );
    expect(failure.message).toBe("Query read timeout");
    expect(await backend(one.database)).not.toBe(first);
  });

  test("is closed when it is returned inside a transaction", async () => {
    await using one = await openOne();
    const first = await backend(one.database);
    await sql`begin`.execute(one.database);
    expect(await backend(one.database)).not.toBe(first);
  });

  test("doesn't report a commit that the database rolled back", async () => {
    await using one = await openOne();
    const swallowing = one.database
      .transaction()
      .execute((transaction) => failureOf(sql`select 1 / 0`.execute(transaction)));
    expect((await failureOf(swallowing)).message).toBe("The transaction was rolled back.");
  });

  test("ends an idle transaction, and frees its locks", async () => {
    await using one = await openOne({ ...timeoutsWithin(20_000), idleInTransaction: 100 });
    const ended = Promise.withResolvers<void>();
    one.pool.on("connect", (client) => client.once("error", () => ended.resolve()));
    const failure = await failureOf(
      one.database.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction);
        await ended.promise;
      }),
    );
    expect(hasLostDatabase(failure)).toBe(true);
  });

  test("that the database ends during a transaction fails with the database's reason", async () => {
    await using one = await openOne(timeoutsWithin(60_000));
    const admin = new Client({ connectionString: one.url });
    await admin.connect();
    try {
      const failure = await failureOf(
        one.database.transaction().execute(async (transaction) => {
          const pid = await backend(transaction);
          const terminate = async () => {
            const sleeping = "select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'";
            await until(async () => (await admin.query(sleeping, [pid])).rowCount === 1);
            await admin.query("select pg_terminate_backend($1)", [pid]);
          };
          await Promise.all([sql`select pg_sleep(60)`.execute(transaction), terminate()]);
        }),
      );
      expect(failure).toMatchObject({ code: "57P01" });
    } finally {
      await admin.end();
    }
  });

  test("that breaks while no query uses it is logged once", async () => {
    const { log, events } = createRecordingLog();
    const url = await (await sharedPostgres()).createDatabase();
    const pool = openPool(url, { max: 1, log });
    const admin = new Client({ connectionString: url });
    await admin.connect();
    try {
      const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
      const broken = Promise.withResolvers<void>();
      pool.once("remove", () => broken.resolve());
      await admin.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
      await broken.promise;
      expect(events).toMatchObject([{ level: "warn", error: expect.any(Error) }]);
    } finally {
      await admin.end();
      await pool.end();
    }
  });

  test("for migrations and moving has no limit, whatever the database sets for others", async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const { pathname } = new URL(url);
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query(`alter database ${pathname.slice(1)} set statement_timeout = 100`);
    await admin.end();
    const pool = openPool(url, { max: 1 });
    try {
      await pool.query("select pg_sleep(0.3)");
    } finally {
      await pool.end();
    }
  });
});

test("a longer timeout of queries also makes requests wait longer for a connection", () => {
  const waits = [1_000, 15_000, 120_000].map((query) => timeoutsWithin(query).connect);
  expect(waits).toEqual([1_000, 5_000, 40_000]);
});
