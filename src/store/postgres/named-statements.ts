import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
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

/**
 * The pool as Kysely wants it, except that prepared queries have names: each connection parses and plans them once. That
 * takes the database about ten times as long as running them, and this process as long as reading the answer.
 */
export function withNamedStatements(pool: pg.Pool): PostgresPool {
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
      const known = clients.get(client) ?? naming(client, nameOf);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function naming(client: pg.PoolClient, nameOf: (text: string) => string | undefined): PostgresPoolClient {
  const plain: PostgresPoolClient = client;
  const named: NamingClient = client;
  let isOutdated = false;

  async function run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
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

  return { query, release: () => client.release(isOutdated) };
}

const isPlanOutdated = (error: unknown) => error instanceof Error && "code" in error && error.code === PLAN_OUTDATED;
