import { serveCalls } from "../../../threads/serve-calls.ts";
import type { PerformRead } from "../calls.ts";
import { sqliteEngine } from "../engine.ts";
import { createPace, OutOfTime } from "../pace.ts";
import { Connection } from "./connection.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";

export interface ReadRequest {
  name: string;
  input: unknown;
  /** Milliseconds that the read may take. */
  time: number;
}

/** The output of a read, or that its time was too short. */
export type ReadAnswer = { isDone: true; output: unknown } | { isDone: false };

export type ReaderCalls = {
  read(request: ReadRequest): Promise<ReadAnswer>;
  warmUp(input: undefined): undefined;
};

/** Serves long reads in a separate thread, one at a time, so that they don't block the event loop. */
export function serveReads(performRead: PerformRead): void {
  serveCalls<string, ReaderCalls>((path) => {
    const connection = new Connection(path, { readonly: true });
    configureReader(connection);
    const database = kyselyOver(connection);

    async function read({ name, input, time }: ReadRequest): Promise<ReadAnswer> {
      // The transaction gives all statements one state of the database.
      connection.run("begin");
      try {
        return { isDone: true, output: await performRead(database, sqliteEngine, name, input, createPace(time)) };
      } catch (error) {
        if (error instanceof OutOfTime) return { isDone: false };
        throw error;
      } finally {
        connection.run("rollback");
      }
    }

    return { handlers: { read, warmUp: () => undefined }, close: () => connection.close() };
  });
}
