import type { Kysely } from "kysely";

/** The tables and their columns. Each capability declares its own in its `tables.ts` through declaration merging. */
export interface Schema {
  migrations: { number: number; name: string };
}

/** A connection, a pool or a transaction. */
export type Database = Kysely<Schema>;
