import { Kysely } from "kysely";
import pg from "pg";
import { type Log, silentLog } from "../../../observability/log.ts";
import type { Connections, Perform, PerformAtOnce, PerformRead } from "../calls.ts";
import { hasLostDatabase, isWorthRepeating, postgresEngine } from "../engine.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import type { Schema } from "../schema.ts";
import { dialectOver } from "./guarded-connections.ts";

const INT8_OID = 20;
const ATTEMPTS = 5;
/** Seconds. A plan that was made while a table was small is not kept for ever. */
const CONNECTION_LIFETIME = 10 * 60;
/** Unless told otherwise. */
const QUERY_TIMEOUT = 15_000;
const LONGEST_CONNECT = 5_000;

/** How long the database may take, in milliseconds. */
export interface Timeouts {
  /** Until a connection must be there. */
  readonly connect: number;
  /** Until a query counts as lost; a database that is cut off or stands still gives no error of its own. */
  readonly query: number;
  /** Until the database cancels a statement; 0 means never. Shorter than `query`, so that the outcome is known. */
  readonly statement: number;
  /** Until the database ends the transaction of a client that has gone silent, and frees its locks; 0 means never. */
  readonly idleInTransaction: number;
}

/** Returns the timeouts under which no query takes longer than this. */
export const timeoutsWithin = (query: number): Timeouts => ({
  connect: Math.min(LONGEST_CONNECT, query),
  query,
  statement: Math.ceil(query * 0.8),
  idleInTransaction: Math.ceil(query * 0.8),
});

export interface PostgresOptions {
  /** Of whoever hears what other copies change; without it nothing that can change is remembered. */
  changeMark?: (() => number | undefined) | undefined;
  /** Told when a change was perhaps made and perhaps not: the answer to it was lost. */
  uncertain?: () => void;
  /** Connections at once. */
  connections?: number;
  timeouts?: Timeouts;
  /** Gets a line for each connection that breaks. */
  log?: Pick<Log, "warn">;
}

interface PoolOptions {
  /** Connections at once. */
  max: number;
  /** Undefined: queries may take any time, as migrations and copies do. */
  timeouts?: Timeouts;
  maxLifetimeSeconds?: number;
  log?: Pick<Log, "warn">;
}

interface Calls {
  perform: Perform;
  performAtOnce: PerformAtOnce;
  performRead: PerformRead;
}

/** Connects to a PostgreSQL database, making or migrating its tables where that is needed. */
export async function connectPostgres(url: string, calls: Calls, options: PostgresOptions): Promise<Connections> {
  const { changeMark = () => undefined, uncertain = () => undefined, connections = 10 } = options;
  const { timeouts = timeoutsWithin(QUERY_TIMEOUT), log = silentLog } = options;
  await migrateDatabase(url);
  const pool = openPool(url, { max: connections, timeouts, maxLifetimeSeconds: CONNECTION_LIFETIME, log });
  const database = new Kysely<Schema>({ dialect: dialectOver(pool) });

  const write = (name: string, input: unknown) =>
    repeat(async () => (await calls.performAtOnce(database, name, input)) ?? transact(name, input));

  const transact = (name: string, input: unknown) =>
    database.transaction().execute((transaction) => calls.perform(transaction, name, input));

  /** Does a change again where that may lead to another end. */
  async function repeat<Output>(change: () => Promise<Output>): Promise<Output> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await change();
      } catch (error) {
        if (isWorthRepeating(error) && attempt < ATTEMPTS) continue;
        if (hasLostDatabase(error)) uncertain();
        throw error;
      }
    }
  }

  return {
    reader: database,
    write,
    readLong: (name, input) => calls.performRead(database, postgresEngine, name, input),
    changeMark,
    close: () => database.destroy(),
  };
}

/** On a connection of its own, because a migration of many rows takes its time. */
async function migrateDatabase(url: string): Promise<void> {
  const database = new Kysely<unknown>({ dialect: dialectOver(openPool(url, { max: 1 })) });
  try {
    await migrate(database, postgresEngine, migrations);
  } finally {
    await database.destroy();
  }
}

/** Opens connections when they are needed. */
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
    // Where no timeout ends a query, this tells that the other side is gone.
    keepAlive: true,
    // All our 64-bit integers are instants, sizes and keys, and stay below 2^53.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
    },
    onConnect: async (client) => {
      await client.query(sessionSettings(timeouts));
    },
  });
  // A connection that breaks is replaced by the pool, and its query fails; without listeners the break itself, told by
  // the pool while the connection is idle and by the connection while it is used, would be an uncaught exception.
  pool.on("error", () => undefined);
  pool.on("connect", (client) =>
    client.on("error", (error) => log.warn({ message: "A connection to PostgreSQL broke.", error })),
  );
  return pool;
}

/** Set by a query, because poolers refuse connections that ask for such settings when they begin. */
const sessionSettings = ({ statement = 0, idleInTransaction = 0 }: Partial<Timeouts> = {}): string =>
  [
    // Compiling a query takes longer than any of ours does.
    "set jit = off",
    // Set to 0 as well: the server or the role may have limits of its own, which a migration is not to run into.
    `set statement_timeout = ${statement}`,
    `set idle_in_transaction_session_timeout = ${idleInTransaction}`,
  ].join("; ");
