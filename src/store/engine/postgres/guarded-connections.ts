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

/** What of a connection is used for statements that have names. */
interface NamingClient {
  query<Row>(statement: NamedStatement): Promise<PostgresQueryResult<Row>>;
}

/** SQLSTATE of a statement whose columns are no longer what they were when it was planned. */
const PLAN_OUTDATED = "0A000";

/** Makes Kysely's dialect over a pool, whose connections are reused only while nothing is left over on them. */
export const dialectOver = (pool: pg.Pool): PostgresDialect => new PostgresDialect({ pool: guard(pool) });

/**
 * The pool as Kysely wants it, with two differences. Prepared queries have names, so that each connection parses and
 * plans them once: that takes the database ten times as long as running them. And a connection that may still be running
 * a query, or is still inside a transaction, is destroyed instead of reused: what the next user wrote there would be
 * answered, and never committed.
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
  /** Why it is unknown what the connection is doing. */
  let lostBy: unknown;

  async function run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    // What is asked behind a query that is stuck, such as a rollback, would wait for it and be lost with it.
    if (lostBy !== undefined) throw lostBy;
    try {
      const result = await ask<Row>(text, values);
      checkCommitted(text, result);
      return result;
    } catch (error) {
      // Only an error from the database itself says that the query is over.
      if (!(error instanceof pg.DatabaseError)) lostBy = error;
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
        // The failure has ended a transaction, and this is the reason.
        throw error;
      });
    }
  }

  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(text: string | PostgresCursor<Row>, values: readonly unknown[] = []) {
    return typeof text === "string" ? run<Row>(text, values) : plain.query(text);
  }

  const isReusable = () => lostBy === undefined && !isOutdated && client.getTransactionStatus() === IDLE;

  return { query, release: () => client.release(!isReusable()) };
}

/** What a connection reports between two transactions. */
const IDLE = "I";

/** Throws when a commit did not commit: PostgreSQL answers it with a rollback, and no error, after a failed statement. */
function checkCommitted(text: string, { command }: PostgresQueryResult<unknown>): void {
  // Kysely's type lists only the commands of queries.
  const answer: string = command;
  if (text.toLowerCase() === "commit" && answer !== "COMMIT") throw new Error("The transaction was rolled back.");
}

const isPlanOutdated = (error: unknown) => error instanceof Error && "code" in error && error.code === PLAN_OUTDATED;
