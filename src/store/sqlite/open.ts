import { Database as Connection } from "bun:sqlite";
import { join } from "node:path";
import type { Store } from "../../domain/ports.ts";
import { createStore } from "../store.ts";
import { kyselyOver } from "./dialect.ts";
import { startWriter } from "./writer.ts";

/** Opens the SQLite database of a data directory, making or migrating it where that is needed. */
export async function openSqlite(directory: string): Promise<Store> {
  const path = join(directory, "vitrine.db");
  const writer = await startWriter(path);
  // Reads take microseconds and never wait for a writer in WAL mode, so they may run on the event loop.
  const connection = new Connection(path, { readonly: true });
  connection.run("pragma busy_timeout = 1000");
  connection.run("pragma cache_size = -32768");
  connection.run("pragma mmap_size = 268435456");
  const dataVersion = connection.query<{ data_version: number }, []>("pragma data_version");
  const reader = kyselyOver(connection);
  return createStore({
    reader,
    write: writer.write,
    snapshot: (read) => reader.transaction().execute(read),
    changeMark: () => dataVersion.get()?.data_version,
    close: async () => {
      connection.close();
      await writer.close();
    },
  });
}
