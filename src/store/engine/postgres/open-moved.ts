import { Kysely, sql } from "kysely";
import type pg from "pg";
import { postgresEngine } from "../engine.ts";
import { migrateToNewest } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import type { MovedDatabase } from "../moving/copy.ts";
import { postgresDifferences } from "../moving/differences.ts";
import type { Schema } from "../schema.ts";
import { snapshotOf } from "../snapshot.ts";
import { dialectOver } from "./guarded-connections.ts";
import { openPool } from "./pool.ts";

/** Opens a PostgreSQL database as the source of a copy. */
export function openPostgresSource(url: string): MovedDatabase {
  return describe(openPool(url, { max: 1 }));
}

function describe(pool: pg.Pool): MovedDatabase {
  const database = new Kysely<Schema>({ dialect: dialectOver(pool) });
  return {
    engine: postgresEngine,
    differences: postgresDifferences,
    database,
    snapshot: snapshotOf(database),
    close: () => database.destroy(),
  };
}

/** Opens a PostgreSQL database as the target of a copy. Creates or migrates its tables if needed. */
export async function openPostgresTarget(url: string): Promise<MovedDatabase> {
  const pool = openPool(url, { max: 1 });
  try {
    const database = new Kysely<unknown>({ dialect: dialectOver(pool) });
    await migrateToNewest(database, postgresEngine, migrations);
    return describe(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Returns whether a server uses the database. Each server keeps a connection with this name open for events. */
export async function isPostgresServed(url: string): Promise<boolean> {
  const { database, close } = openPostgresSource(url);
  try {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'vitrine events'`.execute(database);
    return rows.length > 0;
  } finally {
    await close();
  }
}
