import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Store } from "../../domain/ports.ts";
import { isWorthRepeating, postgresEngine } from "../engine.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { type InputOf, type OperationName, type OutputOf, perform } from "../operations.ts";
import type { Schema } from "../schema.ts";
import { createStore } from "../store.ts";

const INT8_OID = 20;
const ATTEMPTS = 5;

/** Opens a PostgreSQL database, making or migrating its tables where that is needed. */
export async function openPostgres(url: string): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    // All our 64-bit integers are instants, sizes and keys, and stay below 2^53.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  const dialect = new PostgresDialect({ pool });
  const database = new Kysely<Schema>({ dialect });
  try {
    await migrate(new Kysely<unknown>({ dialect }), postgresEngine, migrations);
  } catch (error) {
    await database.destroy();
    throw error;
  }

  async function write<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await database.transaction().execute((transaction) => perform(transaction, name, input));
      } catch (error) {
        if (!isWorthRepeating(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  return createStore({
    reader: database,
    write,
    snapshot: (read) =>
      database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read),
    // Other copies change the same rows, and nothing here hears of it yet.
    changeMark: () => undefined,
    close: () => database.destroy(),
  });
}
