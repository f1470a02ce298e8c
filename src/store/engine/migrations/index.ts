import type { Migration } from "../migrate.ts";
import * as all from "./all.ts";

/** All migrations, oldest first. One that has been released never changes. */
export const migrations: readonly Migration[] = Object.values<Migration>(all).sort(
  (one, other) => one.number - other.number,
);
