import { serveCalls } from "../../../threads/serve-calls.ts";
import type { PerformRead } from "../calls.ts";
import { sqliteEngine } from "../engine.ts";
import type { ReadAnswer } from "../lanes.ts";
import { createPace, OutOfTime, type PaceLimits, workDone } from "../pace.ts";
import { Connection } from "./connection.ts";
import { kyselyOver } from "./dialect.ts";
import { configureReader } from "./reading.ts";

export interface ReadRequest {
  name: string;
  input: unknown;
  /** How long the read may take. */
  limits: PaceLimits;
}

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

    async function read({ name, input, limits }: ReadRequest): Promise<ReadAnswer> {
      // The transaction gives all statements one state of the database.
      connection.run("begin");
      const begunAt = workDone();
      try {
        const output = await performRead(database, sqliteEngine, name, input, createPace(limits));
        return { isDone: true, output, work: workDone() - begunAt };
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
