import { Kysely } from "kysely";
import type { Cause } from "../../../domain/model/audit.ts";
import { Failure } from "../../../domain/model/failure.ts";
import { type Log, silentLog } from "../../../observability/log.ts";
import { createThreads, type Threads } from "../../../threads/threads.ts";
import type { Connections, PerformRead } from "../calls.ts";
import { hasLostDatabase, postgresEngine } from "../engine.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { READ_TIMES, type ReadTimes } from "../pace.ts";
import type { Schema } from "../schema.ts";
import { createBackground } from "./background.ts";
import { dialectOver } from "./guarded-connections.ts";
import { createLongReads } from "./long-reads.ts";
import { CONNECTION_LIFETIME, openPool, type Timeouts, timeoutsWithin } from "./pool.ts";
import { createWrites, type WriteCalls } from "./writes.ts";

/** The default, in milliseconds. */
const QUERY_TIMEOUT = 15_000;

export interface PostgresOptions {
  threads?: Threads;
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

interface Calls extends WriteCalls {
  performRead: PerformRead;
  /** Returns whether a call runs in the thread of the background tasks. */
  isInBackground(name: string): boolean;
}

/** Connects to a PostgreSQL database. Creates or migrates its tables if needed. */
export async function connectPostgres(
  url: string,
  { background: script, ...calls }: Calls & { background: URL },
  options: PostgresOptions,
): Promise<Connections> {
  const {
    threads = createThreads(),
    changeMark = () => undefined,
    uncertain = () => undefined,
    connections = 10,
  } = options;
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

  const writeHere = createWrites(database, calls);
  const background = createBackground({ threads, script, database: { url, timeouts, readTimes } });

  const write = (name: string, input: unknown, cause: Cause) =>
    (calls.isInBackground(name) ? background.write : writeHere)({ name, input, cause }).catch((error) => {
      if (leavesUncertain(error)) uncertain();
      throw error;
    });

  return {
    reader: database,
    write,
    readLong: (name, input, lane) =>
      calls.isInBackground(name) ? background.read({ name, input }) : longReads.read(name, input, lane),
    changeMark,
    countConnections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await background.close();
      await database.destroy();
    },
  };
}

/** Returns whether it is unknown after an error if a write took effect. */
const leavesUncertain = (error: unknown): boolean =>
  hasLostDatabase(error) || (error instanceof Failure && error.kind === "Unavailable");

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
