import { Database as Connection } from "bun:sqlite";
import { sqliteEngine } from "../engine.ts";
import { bringToNewest } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import type { MovedDatabase } from "../moving/copy.ts";
import { sqliteDifferences } from "../moving/differences.ts";
import { snapshotOf } from "../snapshot.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";
import { openWriter } from "./writing.ts";

/** Opens the database in a file to read all of it. */
export function openSqliteSource(path: string): MovedDatabase {
  const connection = new Connection(path, { readonly: true });
  configureReader(connection);
  return describe(connection);
}

/** Opens the database in a file to fill it, making it where there is none. */
export async function openSqliteTarget(path: string): Promise<MovedDatabase> {
  const connection = await openWriter(path);
  await bringToNewest(kyselyOver<unknown>(connection), sqliteEngine, migrations);
  return describe(connection);
}

function describe(connection: Connection): MovedDatabase {
  const database = kyselyOver(connection);
  return {
    engine: sqliteEngine,
    differences: sqliteDifferences,
    database,
    snapshot: snapshotOf(database),
    close: async () => connection.close(),
  };
}

/**
 * Whether some process has the database of this file open. Asked by trying to lock all others out, which fails at once
 * while there are any. Where this process may not write, it cannot be told, and the answer is no.
 */
export function isSqliteInUse(path: string): boolean {
  let connection: Connection | undefined;
  try {
    connection = new Connection(path, { readwrite: true, create: false });
    connection.run("pragma busy_timeout = 0");
    connection.run("pragma locking_mode = exclusive");
    connection.run("begin immediate");
    connection.run("rollback");
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
  } finally {
    connection?.close();
  }
}
