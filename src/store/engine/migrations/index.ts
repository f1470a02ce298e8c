import type { Migration } from "../migrate.ts";
import * as all from "./all.ts";

/** All migrations, oldest first. Released migrations never change. */
export const migrations: readonly Migration[] = Object.values<Migration>(all).sort(
  (one, other) => one.number - other.number,
);
