import { type Kysely, sql } from "kysely";
import { createFairQueue } from "../../../threads/fair-queue.ts";
import type { PerformRead } from "../calls.ts";
import { postgresEngine } from "../engine.ts";
import { createLanes } from "../lanes.ts";
import { createPace, type Lane, OutOfTime, PATIENCE, type ReadTimes, TOLERANCE, turnOf } from "../pace.ts";
import type { Schema } from "../schema.ts";

/** How much longer than a read in the quick lane one of its statements may take, which the database then cancels. */
const STATEMENT_TOLERANCE = 2;
/** The shares of all connections that each lane may use. */
const SHARES = { quick: 0.5, slow: 0.2 } as const;
/** The SQLSTATE of a statement that was cancelled because of its timeout. */
const CANCELLED = "57014";

interface LaneLimits {
  /** Milliseconds that a read may take. */
  time: number;
  /** Milliseconds that a statement may take. */
  statement: number;
}

interface LongReadOptions {
  /** The maximum number of connections of the database. */
  connections: number;
  times: ReadTimes;
  /** Milliseconds after which the database cancels other statements. 0 means never. */
  statement: number;
  performRead: PerformRead;
}

/** Creates what runs long reads on some of the connections, so that others are left for everything else. */
export function createLongReads(
  database: Kysely<Schema>,
  { connections, times, statement, performRead }: LongReadOptions,
) {
  const queueFor = (lane: Lane) => {
    const count = Math.max(1, Math.floor(connections * SHARES[lane]));
    return createFairQueue<number>({
      places: Array.from({ length: count }, (_, position) => position),
      share: Math.max(1, count - 1),
      depth: 1,
      patience: PATIENCE,
      isReady: () => true,
      prepare: async () => undefined,
    });
  };
  // The work of the database's processes isn't known here.
  const quick = times.quick * TOLERANCE;
  const queues = { quick: queueFor("quick"), slow: queueFor("slow") };
  const limits: Record<Lane, LaneLimits> = {
    quick: { time: quick, statement: Math.max(1, quick * STATEMENT_TOLERANCE) },
    slow: { time: times.slow, statement: Math.max(1, Math.min(times.slow, statement || times.slow)) },
  };

  const perform = (name: string, input: unknown, { time, statement: most }: LaneLimits) =>
    database.connection().execute(async (connection) => {
      // One snapshot for all statements, as on SQLite. One message, because each takes a round trip.
      await sql
        .raw(`begin isolation level repeatable read read only; set local statement_timeout = ${most}`)
        .execute(connection);
      try {
        const begin = performance.now();
        const output = await performRead(connection, postgresEngine, name, input, createPace({ time }));
        return { isDone: true, output, work: performance.now() - begin } as const;
      } catch (error) {
        if (error instanceof OutOfTime || isCancelled(error)) return { isDone: false } as const;
        throw error;
      } finally {
        await sql`rollback`.execute(connection).catch(() => undefined);
      }
    });

  function attempt(lane: Lane, name: string, input: unknown) {
    const { user, member } = turnOf(input);
    return queues[lane].run(user, () => perform(name, input, limits[lane]), member);
  }

  return { read: createLanes({ attempt, quick }) };
}

const isCancelled = (error: unknown) => error instanceof Error && "code" in error && error.code === CANCELLED;
