import { serveCalls } from "../../../threads/serve-calls.ts";
import type { PerformRead } from "../calls.ts";
import { sqliteEngine } from "../engine.ts";
import { Connection } from "./connection.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";

export interface ReadRequest {
  name: string;
  input: unknown;
}

export type ReaderCalls = { read(request: ReadRequest): Promise<unknown> };

/** Serves long reads in a separate thread, so that they don't block the event loop. */
export function serveReads(performRead: PerformRead): void {
  serveCalls<string, ReaderCalls>((path) => {
    const connection = new Connection(path, { readonly: true });
    configureReader(connection);
    const database = kyselyOver(connection);
    return {
      handlers: {
        // The transaction gives all statements one state of the database.
        read: ({ name, input }) =>
          database.transaction().execute((transaction) => performRead(transaction, sqliteEngine, name, input)),
      },
      close: () => connection.close(),
    };
  });
}
