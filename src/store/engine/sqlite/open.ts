import { Database as Connection } from "bun:sqlite";
import { join } from "node:path";
import { Failure } from "../../../domain/model/failure.ts";
import type { WriteGuard } from "../../../domain/model/free-space.ts";
import { createThreads, type Threads } from "../../../threads/threads.ts";
import type { Connections } from "../calls.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";
import type { ReaderCalls } from "./serve-reads.ts";
import type { WriterCalls } from "./serve-writes.ts";

/** Milliseconds. More than a write waits for another process that is writing, and than one read takes. */
const DEADLINE = 30_000;

export interface SqliteOptions {
  threads?: Threads;
  /** Told when a change was perhaps made and perhaps not. */
  uncertain?: () => void;
  /** Decides whether a change may be made, and whether it was made where it should be. */
  guard?: WriteGuard;
}

/** Connects to the SQLite database of a data directory, making or migrating it where that is needed. */
export async function connectSqlite(
  directory: string,
  scripts: { writer: URL; reader: URL },
  { threads = createThreads(), uncertain = () => undefined, guard = (change) => change() }: SqliteOptions,
): Promise<Connections> {
  const opening = join(directory, "vitrine.db");
  const started = { opening, deadline: DEADLINE };
  const writer = threads.create<WriterCalls>({ ...started, name: "database writer", script: scripts.writer });
  await writer.open();
  const reader = threads.create<ReaderCalls>({ ...started, name: "database reader", script: scripts.reader });
  // Most reads take microseconds and never wait for a writer in WAL mode, so they may run on the event loop.
  const connection = new Connection(opening, { readonly: true });
  configureReader(connection);
  const dataVersion = connection.query<{ data_version: number }, []>("pragma data_version");
  const database = kyselyOver(connection);
  const tell = oncePerTurn(uncertain);
  return {
    reader: database,
    write: (name, input) =>
      guard(() => writer.call("write", { name, input })).catch((error) => {
        if (error instanceof Failure && error.kind === "Unavailable") tell();
        throw error;
      }),
    readLong: (name, input) => reader.call("read", { name, input }),
    changeMark: () => dataVersion.get()?.data_version,
    close: async () => {
      connection.close();
      await Promise.all([writer.close(), reader.close()]);
    },
  };
}

/** Writes that are lost together are told of once. */
function oncePerTurn(act: () => void): () => void {
  let hasActed = false;
  return () => {
    if (hasActed) return;
    hasActed = true;
    setImmediate(() => {
      hasActed = false;
    });
    act();
  };
}
