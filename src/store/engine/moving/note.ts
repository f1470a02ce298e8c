import { type QueryExecutorProvider, sql } from "kysely";
import { conflict } from "../../../domain/model/failure.ts";
import type { Engine } from "../engine.ts";
import type { Value } from "./rows.ts";

/** A table with one row, in databases that are or were the target of a copy. */
const TABLE = "database_copy";

/** How far a copy has come. */
export interface Progress {
  /** The id of the run of the command that saved it. */
  run: string;
  step: string;
  /** The key up to which the step is done, or null at its beginning. */
  after: readonly Value[] | null;
  /** The number of rows copied so far. */
  rows: number;
}

/** The record in a target of the copy that filled it. */
export interface Note {
  /** The contents of the source, described as text. */
  source: string;
  /** Null when the copy is finished. */
  progress: Progress | null;
}

interface StoredNote {
  source: string;
  progress: string | null;
}

const table = sql.table(TABLE);
const stored = (progress: Progress | null) => (progress === null ? null : JSON.stringify(progress));

export async function readNote(database: QueryExecutorProvider, engine: Engine): Promise<Note | undefined> {
  if (!(await engine.hasTable(database, TABLE))) return undefined;
  const { rows } = await sql<StoredNote>`select source, progress from ${table}`.execute(database);
  const [row] = rows;
  return row && { source: row.source, progress: row.progress === null ? null : JSON.parse(row.progress) };
}

/** Throws `Conflict` while a copy into the database is unfinished. */
export async function refuseUnfinishedCopy(database: QueryExecutorProvider, engine: Engine): Promise<void> {
  const note = await readNote(database, engine);
  if (note === undefined || note.progress === null) return;
  throw conflict("a copy into this database is not finished; run the same vitrine db copy again to finish it.");
}

export async function prepareNote(database: QueryExecutorProvider): Promise<void> {
  await sql`create table if not exists ${table} (
    number integer primary key check (number = 1), source text not null, progress text)`.execute(database);
}

/** Replaces the note. */
export async function writeNote(database: QueryExecutorProvider, { source, progress }: Note): Promise<void> {
  await sql`insert into ${table} (number, source, progress) values (1, ${source}, ${stored(progress)})
    on conflict (number) do update set source = excluded.source, progress = excluded.progress`.execute(database);
}

/** Saves the progress. Throws `Conflict` if another run has saved its progress since. */
export async function advance(database: QueryExecutorProvider, from: Progress, to: Progress | null): Promise<void> {
  const { numAffectedRows } = await sql`
    update ${table} set progress = ${stored(to)} where progress = ${stored(from)}`.execute(database);
  if (numAffectedRows !== 1n) throw conflict("Another copy into this database is in progress.");
}
