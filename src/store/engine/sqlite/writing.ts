import { Connection } from "./connection.ts";

/** How long a write waits for another process, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
const WAL_PAUSE = 20;

/** Opens a connection that writes. Creates the database if it is missing. */
export async function openWriter(path: string): Promise<Connection> {
  const connection = new Connection(path, { create: true, readwrite: true });
  connection.run(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
  await enterWalMode(connection);
  connection.run("pragma synchronous = full");
  connection.run("pragma foreign_keys = on");
  connection.run("pragma cache_size = -32768");
  // Statements and savepoints keep what they could undo in memory instead of in temporary files.
  connection.run("pragma temp_store = memory");
  // 16 MB. Pages that several transactions change are copied to the database only once.
  connection.run("pragma wal_autocheckpoint = 4000");
  connection.run("pragma journal_size_limit = 67108864");
  return connection;
}

/**
 * Switches the file to WAL mode. The file keeps the mode, so that only the first call has an effect. Retries while the
 * file is busy, because SQLite ignores the busy timeout here.
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
