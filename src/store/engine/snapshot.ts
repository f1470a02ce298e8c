import type { Database } from "./schema.ts";

export type Snapshot = <Result>(read: (database: Database) => Promise<Result>) => Promise<Result>;

/** Runs several reads on one state of the database. SQLite ignores the level, because all its transactions have it. */
export const snapshotOf =
  (database: Database): Snapshot =>
  (read) =>
    database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
