import { sqliteEngine } from "../engine.ts";
import { migrateToNewest } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import type { MovedDatabase } from "../moving/copy.ts";
import { sqliteDifferences } from "../moving/differences.ts";
import { snapshotOf } from "../snapshot.ts";
import { Connection } from "./connection.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";
import { openWriter } from "./writing.ts";

/** Opens a SQLite file as the source of a copy. */
export function openSqliteSource(path: string): MovedDatabase {
  const connection = new Connection(path, { readonly: true });
  configureReader(connection);
  return describe(connection);
}

/** Opens a SQLite file as the target of a copy. Creates or migrates it if needed. */
export async function openSqliteTarget(path: string): Promise<MovedDatabase> {
  const connection = await openWriter(path);
  await migrateToNewest(kyselyOver<unknown>(connection), sqliteEngine, migrations);
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
 * Returns whether another process has a SQLite file open. Tries to lock the file exclusively, which fails at once if
 * so. Returns false if this process may not write to the file.
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
