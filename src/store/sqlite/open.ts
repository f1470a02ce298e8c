import { Database as Connection } from "bun:sqlite";
import { join } from "node:path";
import type { WriteGuard } from "../../domain/disk-ports.ts";
import type { Store } from "../../domain/ports.ts";
import type { ReadLong } from "../long-reads.ts";
import type { Write } from "../operations.ts";
import { createStore } from "../store.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";
import { startThread, type Thread } from "./thread.ts";

interface Options {
  /** Decides whether a change may be made, and whether it was made where it should be. */
  guard?: WriteGuard;
}

/** Opens the SQLite database of a data directory, making or migrating it where that is needed. */
export async function openSqlite(directory: string, { guard = (change) => change() }: Options = {}): Promise<Store> {
  const path = join(directory, "vitrine.db");
  const writer = await startThread(new Worker(new URL("./writer-worker.ts", import.meta.url).href), path);
  const reader = createReadingThread(path);
  // Most reads take microseconds and never wait for a writer in WAL mode, so they may run on the event loop.
  const connection = new Connection(path, { readonly: true });
  configureReader(connection);
  const dataVersion = connection.query<{ data_version: number }, []>("pragma data_version");
  const database = kyselyOver(connection);
  // What comes back is the output of the operation that was asked for; the threads send nothing else.
  const write = ((name, input) => guard(() => writer.ask(name, input))) as Write;
  return createStore({
    reader: database,
    write,
    publish: (publication) => write("publish", publication),
    readLong: reader.ask as ReadLong,
    snapshot: (read) => database.transaction().execute(read),
    changeMark: () => dataVersion.get()?.data_version,
    close: async () => {
      connection.close();
      await Promise.all([writer.close(), reader.close()]);
    },
  });
}

/** Is started by the first who needs it. */
function createReadingThread(path: string): Thread {
  let starting: Promise<Thread> | undefined;

  const start = () =>
    startThread(new Worker(new URL("./reader-worker.ts", import.meta.url).href), path).catch((error) => {
      starting = undefined;
      throw error;
    });

  return {
    async ask(name, input) {
      starting ??= start();
      return (await starting).ask(name, input);
    },
    async close() {
      await (await starting)?.close();
    },
  };
}
