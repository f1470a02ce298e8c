import type { Kysely } from "kysely";

/** Tables with their columns. Each capability adds its own in its `tables.ts`, by declaration merging. */
export interface Schema {
  migrations: { number: number; name: string };
}

/** A connection, a pool or a transaction. */
export type Database = Kysely<Schema>;
