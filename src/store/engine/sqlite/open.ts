import { Database as Connection } from "bun:sqlite";
import { join } from "node:path";
import { Failure } from "../../../domain/model/failure.ts";
import type { WriteGuard } from "../../../domain/model/free-space.ts";
import type { Store } from "../../../domain/ports.ts";
import { createThreads, type Threads } from "../../../threads/threads.ts";
import type { ReadLong } from "../long-reads.ts";
import type { Write } from "../operations.ts";
import { createStore } from "../store.ts";
import { kyselyOver } from "./dialect.ts";
import type { ReaderCalls } from "./reader-worker.ts";
import { configureReader } from "./reading.ts";
import type { WriterCalls } from "./writer-worker.ts";

/** Milliseconds. More than a write waits for another process that is writing, and than one read takes. */
const DEADLINE = 30_000;

interface Options {
  threads?: Threads;
  /** Told when a change was perhaps made and perhaps not. */
  uncertain?: () => void;
  /** Decides whether a change may be made, and whether it was made where it should be. */
  guard?: WriteGuard;
}

/** Opens the SQLite database of a data directory, making or migrating it where that is needed. */
export async function openSqlite(
  directory: string,
  { threads = createThreads(), uncertain = () => undefined, guard = (change) => change() }: Options = {},
): Promise<Store> {
  const opening = join(directory, "vitrine.db");
  const started = { opening, deadline: DEADLINE };
  const writerScript = new URL("./writer-worker.ts", import.meta.url);
  const readerScript = new URL("./reader-worker.ts", import.meta.url);
  const writer = threads.create<WriterCalls>({ ...started, name: "database writer", script: writerScript });
  await writer.open();
  const reader = threads.create<ReaderCalls>({ ...started, name: "database reader", script: readerScript });
  // Most reads take microseconds and never wait for a writer in WAL mode, so they may run on the event loop.
  const connection = new Connection(opening, { readonly: true });
  configureReader(connection);
  const dataVersion = connection.query<{ data_version: number }, []>("pragma data_version");
  const database = kyselyOver(connection);
  const tell = oncePerTurn(uncertain);
  // What comes back is the output of the operation that was asked for; the threads send nothing else.
  const write = ((name, input) =>
    guard(() => writer.call("write", { name, input })).catch((error) => {
      if (error instanceof Failure && error.kind === "Unavailable") tell();
      throw error;
    })) as Write;
  return createStore({
    reader: database,
    write,
    publish: (publication) => write("publish", publication),
    readLong: ((name, input) => reader.call("read", { name, input })) as ReadLong,
    snapshot: (read) => database.transaction().execute(read),
    changeMark: () => dataVersion.get()?.data_version,
    close: async () => {
      connection.close();
      await Promise.all([writer.close(), reader.close()]);
    },
  });
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
