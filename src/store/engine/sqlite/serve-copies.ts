import { serveCalls } from "../../../threads/serve-calls.ts";
import { Connection } from "./connection.ts";
import { configureReader } from "./reading.ts";

export type CopierCalls = { copy(paths: { from: string; to: string }): void };

/** Serves copies of SQLite files in a separate thread, because a copy is one long statement. */
export function serveCopies(): void {
  serveCalls<undefined, CopierCalls>(() => ({
    handlers: {
      // A copy is one state of the database. Writers of the database don't wait for it.
      copy({ from, to }) {
        const connection = new Connection(from, { readonly: true });
        try {
          configureReader(connection);
          connection.query("vacuum into ?").run(to);
        } finally {
          connection.close();
        }
      },
    },
  }));
}
