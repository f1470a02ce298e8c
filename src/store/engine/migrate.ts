import { type Kysely, sql } from "kysely";
import type { Engine } from "./engine.ts";
import { refuseUnfinishedCopy } from "./moving/note.ts";

export interface Migration {
  /** Counts up from 1 without gaps. */
  number: number;
  name: string;
  up(database: Kysely<unknown>, engine: Engine): Promise<void>;
}

/**
 * Migrates a database to the newest schema. Each migration and its record are one transaction, and replicas that start
 * together wait for one another. Throws if the database is newer than this program.
 */
export async function migrateToNewest(
  database: Kysely<unknown>,
  engine: Engine,
  migrations: readonly Migration[],
): Promise<void> {
  await database.connection().execute(async (connection) => {
    for (const migration of migrations) await apply(connection, engine, migration);
    await refuseNewer(connection, migrations);
  });
}

/** Migrates a database to the newest schema. Throws `Conflict` while a copy into the database is unfinished. */
export async function migrate(
  database: Kysely<unknown>,
  engine: Engine,
  migrations: readonly Migration[],
): Promise<void> {
  await refuseUnfinishedCopy(database, engine);
  await migrateToNewest(database, engine, migrations);
}

async function apply(connection: Kysely<unknown>, engine: Engine, migration: Migration): Promise<void> {
  await engine.beginExclusive(connection);
  try {
    await sql`create table if not exists migrations (number integer primary key, name text not null)`.execute(
      connection,
    );
    const applied = await sql`select 1 from migrations where number = ${migration.number}`.execute(connection);
    if (applied.rows.length === 0) {
      await migration.up(connection, engine);
      await sql`insert into migrations (number, name) values (${migration.number}, ${migration.name})`.execute(
        connection,
      );
    }
    await sql`commit`.execute(connection);
  } catch (error) {
    await sql`rollback`.execute(connection).catch(() => undefined);
    throw error;
  }
}

async function refuseNewer(connection: Kysely<unknown>, migrations: readonly Migration[]): Promise<void> {
  const newest = migrations.at(-1)?.number ?? 0;
  const { rows } = await sql<{ number: number }>`select number from migrations where number > ${newest}`.execute(
    connection,
  );
  if (rows.length > 0) {
    throw new Error("The database was made by a newer version of Vitrine. Upgrade this one.");
  }
}
