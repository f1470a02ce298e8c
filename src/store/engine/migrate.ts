import { type Kysely, sql } from "kysely";
import packageJson from "../../../package.json";
import type { Engine } from "./engine.ts";
import { refuseUnfinishedCopy } from "./moving/note.ts";

export interface Migration {
  /** Counts up from 1 without gaps. */
  number: number;
  name: string;
  up(database: Kysely<unknown>, engine: Engine): Promise<void>;
}

/** The migration that adds the column for the version of Vitrine. */
const VERSION_RECORDED_SINCE = 12;

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
      await record(connection, migration);
    }
    await sql`commit`.execute(connection);
  } catch (error) {
    await sql`rollback`.execute(connection).catch(() => undefined);
    throw error;
  }
}

async function record(connection: Kysely<unknown>, { number, name }: Migration): Promise<void> {
  const insertion =
    number < VERSION_RECORDED_SINCE
      ? sql`insert into migrations (number, name) values (${number}, ${name})`
      : sql`insert into migrations (number, name, version) values (${number}, ${name}, ${packageJson.version})`;
  await insertion.execute(connection);
}

async function refuseNewer(connection: Kysely<unknown>, migrations: readonly Migration[]): Promise<void> {
  const newest = migrations.at(-1)?.number ?? 0;
  const { rows } = await sql<{ number: number; version: string | null }>`
    select * from migrations where number > ${newest} order by number desc limit 1`.execute(connection);
  const [last] = rows;
  if (last === undefined) return;
  throw new Error(
    `The database was upgraded by Vitrine ${last.version ?? "(unknown version)"} (schema ${last.number}), ` +
      `but this is Vitrine ${packageJson.version} (schema ${newest}). Start the newer version, or restore a backup.`,
  );
}
