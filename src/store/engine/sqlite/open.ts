import { join } from "node:path";
import { Failure } from "../../../domain/model/failure.ts";
import type { WriteGuard } from "../../../domain/model/free-space.ts";
import { createThreads, type Threads } from "../../../threads/threads.ts";
import type { Connections } from "../calls.ts";
import { READ_TIMES, type ReadTimes } from "../pace.ts";
import { Connection } from "./connection.ts";
import { kyselyOver } from "./dialect.ts";
import { watchAnnouncements } from "./outside-changes.ts";
import { createReaders } from "./readers.ts";
import { configureReader } from "./reading.ts";
import type { WriterCalls } from "./serve-writes.ts";

/** Milliseconds. Longer than a write waits for another process, and than a read takes. */
const DEADLINE = 30_000;

export interface SqliteOptions {
  threads?: Threads;
  /** Called when the outcome of a write is unknown. */
  uncertain?: () => void;
  /** Called soon after another process has announced a change. */
  changedOutside?: () => void;
  /** Wraps each write to detect that the data directory was replaced. */
  guard?: WriteGuard;
  readTimes?: ReadTimes;
}

/** Connects to the SQLite database in a data directory. Creates or migrates it if needed. */
export async function connectSqlite(
  directory: string,
  scripts: { writer: URL; reader: URL },
  {
    threads = createThreads(),
    uncertain = () => undefined,
    changedOutside,
    guard = (change) => change(),
    readTimes = READ_TIMES,
  }: SqliteOptions,
): Promise<Connections> {
  const opening = join(directory, "vitrine.db");
  const started = { opening, deadline: DEADLINE };
  const writer = threads.create<WriterCalls>({ ...started, name: "database writer", script: scripts.writer });
  await writer.open();
  const readers = createReaders({ ...started, threads, script: scripts.reader, times: readTimes });
  // Most reads take microseconds and never wait for a writer in WAL mode, so they may run on the event loop.
  const connection = new Connection(opening, { readonly: true });
  configureReader(connection);
  const dataVersion = connection.query<{ data_version: number }, []>("pragma data_version");
  const database = kyselyOver(connection);
  const reportUncertain = oncePerTurn(uncertain);
  const watch = changedOutside && watchAnnouncements(connection, changedOutside);
  return {
    reader: database,
    write: (name, input, cause) =>
      guard(() => writer.call("write", { name, input, cause })).catch((error) => {
        if (error instanceof Failure && error.kind === "Unavailable") reportUncertain();
        throw error;
      }),
    readLong: readers.read,
    changeMark: () => dataVersion.get()?.data_version,
    close: async () => {
      watch?.stop();
      connection.close();
      await Promise.all([writer.close(), readers.close()]);
    },
  };
}

/** Limits a callback to once per turn of the event loop, because lost writes come in groups. */
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
