import { Database as Connection } from "bun:sqlite";
import { sqliteEngine } from "../engine.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { kyselyOver } from "./dialect.ts";
import { createGroupCommit } from "./group-commit.ts";
import { sendError, type ThreadMessage, type WriteRequest } from "./messages.ts";

declare const self: Worker;

/** How long a write waits for another process that is writing, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
const WAL_PAUSE = 20;

/** The thread that owns the writing connection: syncing the disk holds it, and not the event loop. */
self.onmessage = (event: MessageEvent<{ path: string }>) => {
  open(event.data.path).catch((error: unknown) => reply({ type: "unusable", error: sendError(error) }));
};

function reply(message: ThreadMessage): void {
  self.postMessage(message);
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

async function open(path: string): Promise<void> {
  const connection = new Connection(path, { create: true, readwrite: true });
  connection.run(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
  await enterWalMode(connection);
  connection.run("pragma synchronous = full");
  connection.run("pragma foreign_keys = on");
  connection.run("pragma cache_size = -32768");
  connection.run("pragma journal_size_limit = 67108864");
  await migrate(kyselyOver<unknown>(connection), sqliteEngine, migrations);
  const groupCommit = createGroupCommit(connection, kyselyOver(connection), reply);
  self.onmessage = (event: MessageEvent<WriteRequest | "close">) => {
    if (event.data === "close") {
      connection.close();
      self.postMessage({ type: "closed" });
    } else {
      groupCommit.enqueue(event.data);
    }
  };
  reply({ type: "ready" });
}
