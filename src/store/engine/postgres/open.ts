import { Kysely } from "kysely";
import pg from "pg";
import type { Cause } from "../../../domain/model/audit.ts";
import { type Log, silentLog } from "../../../observability/log.ts";
import type { Connections, Perform, PerformAtOnce, PerformRead } from "../calls.ts";
import { hasLostDatabase, isRetryable, postgresEngine } from "../engine.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { READ_TIMES, type ReadTimes } from "../pace.ts";
import type { Schema } from "../schema.ts";
import { dialectOver } from "./guarded-connections.ts";
import { createLongReads } from "./long-reads.ts";

const INT8_OID = 20;
const ATTEMPTS = 5;
/** Seconds. Limits the age of query plans, which may have been made while a table was small. */
const CONNECTION_LIFETIME = 10 * 60;
/** The default, in milliseconds. */
const QUERY_TIMEOUT = 15_000;
/** Milliseconds to wait for a connection where queries may take any time. */
const LONGEST_CONNECT = 5_000;

/** Timeouts of the database in milliseconds. */
export interface Timeouts {
  /** For a connection of the pool, which may have to be opened or waited for. */
  readonly connect: number;
  /** Until a query counts as lost, because an unreachable or frozen database never returns an error. */
  readonly query: number;
  /** Until the database cancels a statement. 0 means never. Shorter than `query`, so that the outcome is known. */
  readonly statement: number;
  /** Until the database ends the transaction of a silent client and releases its locks. 0 means never. */
  readonly idleInTransaction: number;
}

/** Returns timeouts that limit every query to this duration. */
export const timeoutsWithin = (query: number): Timeouts => ({
  // A database that is merely busy needs as much patience here as it does with queries.
  connect: Math.min(Math.max(LONGEST_CONNECT, query / 3), query),
  query,
  statement: Math.ceil(query * 0.8),
  idleInTransaction: Math.ceil(query * 0.8),
});

export interface PostgresOptions {
  /** Returns a number that changes with the data of other replicas. Without it, data that can change isn't cached. */
  changeMark?: (() => number | undefined) | undefined;
  /** Called when the outcome of a write is unknown because the connection was lost. */
  uncertain?: () => void;
  /** The maximum number of connections. */
  connections?: number;
  timeouts?: Timeouts;
  readTimes?: ReadTimes;
  /** Logs broken connections. */
  log?: Pick<Log, "warn">;
}

interface PoolOptions {
  /** The maximum number of connections. */
  max: number;
  /** Undefined for migrations and copies, whose queries may take any time. */
  timeouts?: Timeouts;
  maxLifetimeSeconds?: number;
  log?: Pick<Log, "warn">;
}

interface Calls {
  perform: Perform;
  performAtOnce: PerformAtOnce;
  performRead: PerformRead;
}

/** Connects to a PostgreSQL database. Creates or migrates its tables if needed. */
export async function connectPostgres(url: string, calls: Calls, options: PostgresOptions): Promise<Connections> {
  const { changeMark = () => undefined, uncertain = () => undefined, connections = 10 } = options;
  const { timeouts = timeoutsWithin(QUERY_TIMEOUT), readTimes = READ_TIMES, log = silentLog } = options;
  await migrateDatabase(url);
  const pool = openPool(url, { max: connections, timeouts, maxLifetimeSeconds: CONNECTION_LIFETIME, log });
  const database = new Kysely<Schema>({ dialect: dialectOver(pool) });

  const longReads = createLongReads(database, {
    ...calls,
    connections,
    times: readTimes,
    statement: timeouts.statement,
  });

  const write = (name: string, input: unknown, cause: Cause) =>
    retry(async () => (await calls.performAtOnce(database, name, input, cause)) ?? transact(name, input, cause));

  const transact = (name: string, input: unknown, cause: Cause) =>
    database.transaction().execute((transaction) => calls.perform(transaction, name, input, cause));

  /** Retries a change that failed because of concurrent changes. */
  async function retry<Output>(change: () => Promise<Output>): Promise<Output> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await change();
      } catch (error) {
        if (isRetryable(error) && attempt < ATTEMPTS) continue;
        if (hasLostDatabase(error)) uncertain();
        throw error;
      }
    }
  }

  return {
    reader: database,
    write,
    readLong: longReads.read,
    changeMark,
    countConnections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => database.destroy(),
  };
}

/** Migrates the database on a separate connection without timeouts, because migrating many rows takes long. */
async function migrateDatabase(url: string): Promise<void> {
  const database = new Kysely<unknown>({ dialect: dialectOver(openPool(url, { max: 1 })) });
  try {
    await migrate(database, postgresEngine, migrations);
  } finally {
    await database.destroy();
  }
}

/** Returns whether a server has set up the database. */
export async function hasPostgresTables(url: string): Promise<boolean> {
  const database = new Kysely<unknown>({ dialect: dialectOver(openPool(url, { max: 1 })) });
  try {
    return await postgresEngine.hasTable(database, "migrations");
  } finally {
    await database.destroy();
  }
}

/** Returns a pool that opens connections on demand. */
export function openPool(
  url: string,
  { max, timeouts, maxLifetimeSeconds = 0, log = silentLog }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    maxLifetimeSeconds,
    connectionTimeoutMillis: timeouts?.connect ?? LONGEST_CONNECT,
    ...(timeouts === undefined ? {} : { query_timeout: timeouts.query }),
    // Detects a lost server even when queries have no timeout.
    keepAlive: true,
    // All 64-bit integers here are instants, sizes and keys, which stay below 2^53.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
    },
    onConnect: async (client) => {
      await client.query(sessionSettings(timeouts));
    },
  });
  // The pool replaces a broken connection, and its query fails. Without listeners the break would also be an uncaught
  // exception, emitted by the pool for an idle connection and by the connection itself otherwise.
  pool.on("error", () => undefined);
  pool.on("connect", (client) =>
    client.on("error", (error) => log.warn({ message: "A connection to PostgreSQL broke.", error })),
  );
  return pool;
}

/** Returns the statements that configure a session. Poolers reject connections with such settings as parameters. */
const sessionSettings = ({ statement = 0, idleInTransaction = 0 }: Partial<Timeouts> = {}): string =>
  [
    // Compiling takes longer than running any of the queries.
    "set jit = off",
    // Also set when 0, so that limits of the server or the role don't stop a migration.
    `set statement_timeout = ${statement}`,
    `set idle_in_transaction_session_timeout = ${idleInTransaction}`,
  ].join("; ");
