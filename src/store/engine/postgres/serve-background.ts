import { Kysely } from "kysely";
import { serveCalls } from "../../../threads/serve-calls.ts";
import type { PerformRead, WriteRequest } from "../calls.ts";
import type { ReadTimes } from "../pace.ts";
import type { Schema } from "../schema.ts";
import { dialectOver } from "./guarded-connections.ts";
import { createLongReads } from "./long-reads.ts";
import { CONNECTION_LIFETIME, openPool, type Timeouts } from "./pool.ts";
import { createWrites, type WriteCalls } from "./writes.ts";

/** What the thread opens. */
export interface BackgroundDatabase {
  url: string;
  timeouts: Timeouts;
  readTimes: ReadTimes;
}

export interface BackgroundRead {
  /** "capability.call". */
  name: string;
  input: unknown;
}

export type BackgroundCalls = {
  read(request: BackgroundRead): Promise<unknown>;
  write(request: WriteRequest): Promise<unknown>;
  warmUp(input: undefined): undefined;
};

/** Serves calls of background tasks in a separate thread with its own connection. */
export function serveBackground(calls: WriteCalls & { performRead: PerformRead }): void {
  serveCalls<BackgroundDatabase, BackgroundCalls>(({ url, timeouts, readTimes: times }) => {
    const pool = openPool(url, { max: 1, timeouts, maxLifetimeSeconds: CONNECTION_LIFETIME });
    const database = new Kysely<Schema>({ dialect: dialectOver(pool) });
    const longReads = createLongReads(database, { ...calls, connections: 1, times, statement: timeouts.statement });
    const read = ({ name, input }: BackgroundRead) => longReads.read(name, input, "slow");
    const write = createWrites(database, calls);
    return { handlers: { read, write, warmUp: () => undefined }, close: () => database.destroy() };
  });
}
