import { Database as Connection } from "bun:sqlite";
import { serveCalls } from "../../../threads/serve-calls.ts";
import type { PerformRead } from "../calls.ts";
import { sqliteEngine } from "../engine.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";

export interface ReadRequest {
  name: string;
  input: unknown;
}

export type ReaderCalls = { read(request: ReadRequest): Promise<unknown> };

/** Serves reads that take long in a thread of their own: they hold it, and not the event loop. */
export function serveReads(performRead: PerformRead): void {
  serveCalls<string, ReaderCalls>((path) => {
    const connection = new Connection(path, { readonly: true });
    configureReader(connection);
    const database = kyselyOver(connection);
    return {
      handlers: {
        // All of it on one state of the database.
        read: ({ name, input }) =>
          database.transaction().execute((transaction) => performRead(transaction, sqliteEngine, name, input)),
      },
      close: () => connection.close(),
    };
  });
}
