import type { Engine } from "./engine.ts";
import type { Database } from "./schema.ts";

/** Runs a write by the name of its capability and its own, in a transaction that is open on the connection. */
export type Perform = (database: Database, name: string, input: unknown) => Promise<unknown>;

/** Runs a long read by name. */
export type PerformRead = (database: Database, engine: Engine, name: string, input: unknown) => Promise<unknown>;

/** Runs a write in one statement; resolves to undefined where it has to be a transaction. */
export type PerformAtOnce = (database: Database, name: string, input: unknown) => Promise<unknown>;

/** What an engine brings: ways to read and to write, and what it knows of changes from outside. */
export interface Connections {
  reader: Database;
  /** Resolves when the change is durable. */
  write(name: string, input: unknown): Promise<unknown>;
  /** Runs reads that would hold the event loop. */
  readLong(name: string, input: unknown): Promise<unknown>;
  /**
   * Returns a number that changes whenever another process may have changed the data; undefined when that cannot be
   * told, and then nothing that can change may be kept in memory.
   */
  changeMark(): number | undefined;
  close(): Promise<void>;
}
