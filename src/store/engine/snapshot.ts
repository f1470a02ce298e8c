import type { Database } from "./schema.ts";

export type Snapshot = <Result>(read: (database: Database) => Promise<Result>) => Promise<Result>;

/** Returns a function that runs several reads on one state of the database. All SQLite transactions do so anyway. */
export const snapshotOf =
  (database: Database): Snapshot =>
  (read) =>
    database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
