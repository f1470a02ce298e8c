import pg from "pg";
import { type Log, silentLog } from "../../../observability/log.ts";

const INT8_OID = 20;
/** Milliseconds to wait for a connection where queries may take any time. */
const LONGEST_CONNECT = 5_000;
/** Seconds. Limits the age of query plans, which may have been made while a table was small. */
export const CONNECTION_LIFETIME = 10 * 60;

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

interface PoolOptions {
  /** The maximum number of connections. */
  max: number;
  /** Undefined for migrations and copies, whose queries may take any time. */
  timeouts?: Timeouts;
  maxLifetimeSeconds?: number;
  log?: Pick<Log, "warn">;
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
