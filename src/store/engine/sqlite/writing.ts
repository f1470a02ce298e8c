import { Database as Connection } from "bun:sqlite";

/** How long a write waits for another process that is writing, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
const WAL_PAUSE = 20;

/** A connection that writes to a database, which is made if there is none. */
export async function openWriter(path: string): Promise<Connection> {
  const connection = new Connection(path, { create: true, readwrite: true });
  connection.run(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
  await enterWalMode(connection);
  connection.run("pragma synchronous = full");
  connection.run("pragma foreign_keys = on");
  connection.run("pragma cache_size = -32768");
  connection.run("pragma journal_size_limit = 67108864");
  return connection;
}

/**
 * The mode stays with the file, so that only the first who opens it changes anything. SQLite does not wait for others
 * then, whatever the timeout is.
 */
async function enterWalMode(connection: Connection): Promise<void> {
  for (const deadline = performance.now() + BUSY_TIMEOUT; ; await Bun.sleep(WAL_PAUSE)) {
    try {
      connection.run("pragma journal_mode = wal");
      return;
    } catch (error) {
      const isBusy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
      if (!isBusy || performance.now() > deadline) throw error;
    }
  }
}
