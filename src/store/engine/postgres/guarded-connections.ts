import {
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import { PREPARED_MARK } from "../prepared.ts";

interface NamedStatement {
  name: string;
  text: string;
  values: readonly unknown[];
}

/** The method of a connection that runs named statements. */
interface NamingClient {
  query<Row>(statement: NamedStatement): Promise<PostgresQueryResult<Row>>;
}

/** The SQLSTATE of a prepared statement whose columns have changed since it was planned. */
const PLAN_OUTDATED = "0A000";
/** Matches the SQLSTATEs with which the database ends a connection. */
const ENDS_CONNECTION = /^(57P0|25P0[34])/;

/** Returns Kysely's dialect for a pool that reuses a connection only if it is idle and outside a transaction. */
export const dialectOver = (pool: pg.Pool): PostgresDialect => new PostgresDialect({ pool: guard(pool) });

/**
 * Returns the pool as Kysely expects it, with two additions. Prepared queries get names, so that each connection parses
 * and plans them once, which takes the database ten times as long as running them. And a connection that may still be
 * running a query or a transaction is destroyed instead of reused, because writes of its next user would never be
 * committed.
 */
function guard(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  function nameOf(text: string): string | undefined {
    if (!text.startsWith(PREPARED_MARK)) return undefined;
    const name = names.get(text) ?? `prepared_${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  return {
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? guardClient(client, nameOf);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function guardClient(client: pg.PoolClient, nameOf: (text: string) => string | undefined): PostgresPoolClient {
  const plain: PostgresPoolClient = client;
  const named: NamingClient = client;
  let isOutdated = false;
  /** The error that left the connection in an unknown state. */
  let fatalError: unknown;

  async function run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    // A query sent after a stuck one, such as a rollback, would only wait behind it. After the end of the connection its
    // error would hide the reason.
    if (fatalError !== undefined) throw fatalError;
    try {
      const result = await ask<Row>(text, values);
      checkCommitted(text, result);
      return result;
    } catch (error) {
      // Only an error from the database proves that the query has ended.
      if (!(error instanceof pg.DatabaseError) || ENDS_CONNECTION.test(error.code ?? "")) fatalError = error;
      throw error;
    }
  }

  async function ask<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const name = nameOf(text);
    if (name === undefined) return plain.query<Row>(text, values);
    try {
      return await named.query<Row>({ name, text, values });
    } catch (error) {
      if (!isPlanOutdated(error)) throw error;
      isOutdated = true;
      return plain.query<Row>(text, values).catch(() => {
        // Inside a transaction the second attempt always fails, and the first error is the reason.
        throw error;
      });
    }
  }

  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(text: string | PostgresCursor<Row>, values: readonly unknown[] = []) {
    return typeof text === "string" ? run<Row>(text, values) : plain.query(text);
  }

  const isReusable = () => fatalError === undefined && !isOutdated && client.getTransactionStatus() === IDLE;

  return { query, release: () => client.release(!isReusable()) };
}

/** The transaction status of a connection outside a transaction. */
const IDLE = "I";

/** Throws if a commit rolled back instead, which PostgreSQL does without an error after a failed statement. */
function checkCommitted(text: string, { command }: PostgresQueryResult<unknown>): void {
  // Kysely's type lists only the commands of queries.
  const answer: string = command;
  if (text.toLowerCase() === "commit" && answer !== "COMMIT") throw new Error("The transaction was rolled back.");
}

const isPlanOutdated = (error: unknown) => error instanceof Error && "code" in error && error.code === PLAN_OUTDATED;
