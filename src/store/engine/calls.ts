import type { Cause } from "../../domain/model/audit.ts";
import type { Engine } from "./engine.ts";
import type { Lane, Pace } from "./pace.ts";
import type { Database } from "./schema.ts";

/** Runs the write "capability.call" in the transaction that is open on the connection. */
export type Perform = (database: Database, name: string, input: unknown, cause: Cause) => Promise<unknown>;

/** A write as it is sent to a worker thread. */
export interface WriteRequest {
  /** "capability.call". */
  name: string;
  input: unknown;
  cause: Cause;
}

/** Runs the long read "capability.call". */
export type PerformRead = (
  database: Database,
  engine: Engine,
  name: string,
  input: unknown,
  pace: Pace,
) => Promise<unknown>;

/** Runs a write as a single statement. Resolves to undefined if the write needs a transaction. */
export type PerformAtOnce = (database: Database, name: string, input: unknown, cause: Cause) => Promise<unknown>;

/** The connections to a database server, and the calls that wait for one. */
export interface ConnectionCounts {
  busy: number;
  idle: number;
  waiting: number;
}

/** What the store needs from an engine. */
export interface Connections {
  reader: Database;
  /** Resolves when the change is durable. */
  write(name: string, input: unknown, cause: Cause): Promise<unknown>;
  /** Runs reads that would block the event loop. Rejects as `Unavailable` if one takes too long. */
  readLong(name: string, input: unknown, lane: Lane): Promise<unknown>;
  /**
   * Returns a number that changes whenever another process may have changed the data. Undefined if the engine can't
   * detect that; then callers must not cache data that can change.
   */
  changeMark(): number | undefined;
  /** Only for engines with a server. */
  countConnections?: () => ConnectionCounts;
  close(): Promise<void>;
}
