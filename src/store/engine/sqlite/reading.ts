import type { Connection } from "./connection.ts";

/** Sets the pragmas of a read-only connection. */
export function configureReader(connection: Connection): void {
  connection.run("pragma busy_timeout = 1000");
  connection.run("pragma cache_size = -32768");
  connection.run("pragma mmap_size = 268435456");
}
