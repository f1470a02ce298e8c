import { sql } from "kysely";
import type { Engine } from "./engine.ts";
import type { Database } from "./schema.ts";

/** Returns the number of the newest migration of a database; undefined for an empty one. */
export async function findSchemaVersion(database: Database, engine: Engine): Promise<number | undefined> {
  if (!(await engine.hasTable(database, "migrations"))) return undefined;
  const { rows } = await sql<{ number: number | null }>`select max(number) as number from migrations`.execute(database);
  return rows[0]?.number ?? undefined;
}

/** Returns the time of the newest change of a report; undefined if there are no reports. */
export async function findNewestChange(database: Database): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`select max(updated_at) as at from items`.execute(database);
  return rows[0]?.at ?? undefined;
}
