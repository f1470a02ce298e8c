import { connectSqlite, type SqliteOptions } from "./engine/sqlite/open.ts";
import { createStore, type Store, type StoreOptions } from "./store.ts";

/** The scripts of the database's threads. */
export const SQLITE_THREADS = {
  writer: new URL("./sqlite-writer-worker.ts", import.meta.url),
  reader: new URL("./sqlite-reader-worker.ts", import.meta.url),
};

/** Opens the SQLite database in a data directory. Creates or migrates it if needed. */
export async function openSqlite(
  directory: string,
  { observe, findCause, ...options }: SqliteOptions & StoreOptions = {},
  scripts = SQLITE_THREADS,
): Promise<Store> {
  return createStore(await connectSqlite(directory, scripts, options), { observe, findCause });
}
