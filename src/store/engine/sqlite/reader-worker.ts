import { Database as Connection } from "bun:sqlite";
import { serveCalls } from "../../../threads/serve-calls.ts";
import { sqliteEngine } from "../engine.ts";
import { type LongReadName, performRead } from "../long-reads.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";

export interface ReadRequest {
  name: LongReadName;
  input: unknown;
}

export type ReaderCalls = { read(request: ReadRequest): Promise<unknown> };

/** The thread for reads that take long: they hold it, and not the event loop. */
serveCalls<string, ReaderCalls>((path) => {
  const connection = new Connection(path, { readonly: true });
  configureReader(connection);
  const database = kyselyOver(connection);
  return {
    handlers: {
      // All of it on one state of the database. The sender's types made the pair fit; structured cloning keeps it.
      read: ({ name, input }) =>
        database
          .transaction()
          .execute((transaction): Promise<unknown> => performRead(transaction, sqliteEngine, name, input as never)),
    },
    close: () => connection.close(),
  };
});
