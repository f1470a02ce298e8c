import { sql } from "kysely";
import { conflict } from "../../../domain/model/failure.ts";
import type { Engine } from "../engine.ts";
import { migrations } from "../migrations/index.ts";
import type { Database } from "../schema.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Contents, countAll, countRows, digestAll, findDifference, findWrongIndex } from "./compare.ts";
import type { Differences } from "./differences.ts";
import { advance, type Note, type Progress, prepareNote, readNote, refuseUnfinishedCopy, writeNote } from "./note.ts";
import { readBatch } from "./rows.ts";
import { describeTables, type KnownTable, type Step, stepsFor } from "./steps.ts";
import { INDEX_TABLES, type MovedTable } from "./tables.ts";

/** The source or the target of a copy. */
export interface MovedDatabase {
  engine: Engine;
  differences: Differences;
  /** Reads from a source and writes to a target. */
  database: Database;
  snapshot: Snapshot;
  close(): Promise<void>;
}

export type Phase = "Reading" | "Copying" | "Comparing";

interface CopyObserver {
  /** A unique id of this run. */
  run: string;
  watch(phase: Phase, rows: number, total: number): void;
  note(sentence: string): void;
  isStopped(): boolean;
}

export interface DatabaseCopied {
  state: "copied" | "alreadyThere" | "interrupted";
  /** The number of rows in the source. */
  rows: number;
  /** The number of rows that this run copied. */
  copied: number;
  tables: Readonly<Record<string, number>>;
}

/**
 * Copies a snapshot of one database into another and compares the two. The target must be empty or contain an
 * unfinished or untouched copy. Throws `Conflict` if it contains other data, or if the comparison finds a difference.
 */
export async function copyDatabase(
  source: MovedDatabase,
  target: MovedDatabase,
  observer: CopyObserver,
  moved: readonly MovedTable[],
): Promise<DatabaseCopied> {
  return source.snapshot(async (database) => {
    await refuseUnfinishedCopy(database, source.engine);
    await refuseOtherSchema(database);
    const tables = await describeTables(database, source.differences, moved);
    const contents = await readContents(database, tables, observer, "Reading");
    const total = countRows(contents);
    const copied = (state: DatabaseCopied["state"], rows: number): DatabaseCopied => ({
      state,
      rows: total,
      copied: rows,
      tables: Object.fromEntries(Object.entries(contents).map(([name, { rows: count }]) => [name, count])),
    });
    const progress = await begin(target, tables, contents, observer);
    if (progress === undefined) return copied("alreadyThere", 0);
    const last = await runSteps(database, target, stepsFor(tables), { progress, total, observer });
    const rows = last.rows - progress.rows;
    if (observer.isStopped()) return copied("interrupted", rows);
    for (const { name } of tables.filter(({ counts }) => counts)) {
      const number = await source.differences.readLastNumber(database, name);
      await target.differences.setLastNumber(target.database, name, number);
    }
    await compare(target, tables, contents, observer);
    await advance(target.database, last, null);
    return copied("copied", rows);
  });
}

/** Returns whether a database has the newest schema that this program knows. */
export async function hasNewestSchema(database: Database): Promise<boolean> {
  const { rows } = await sql<{ newest: number }>`select max(number) as newest from migrations`.execute(database);
  return rows[0]?.newest === migrations.at(-1)?.number;
}

/** Throws `Conflict` unless the source has the newest schema, because rows are copied between equal columns. */
async function refuseOtherSchema(source: Database): Promise<void> {
  if (await hasNewestSchema(source)) return;
  throw conflict("The source was last used by another version of Vitrine. Start this version on it once, then copy.");
}

async function readContents(
  database: Database,
  tables: readonly KnownTable[],
  { watch }: CopyObserver,
  phase: Phase,
): Promise<Contents> {
  const total = await countAll(database, tables);
  let read = 0;
  return digestAll(database, tables, (rows) => {
    read += rows;
    watch(phase, read, total);
  });
}

/** Describes contents as text, with the schema version, because a migration changes rows that were copied before. */
const describeContents = (contents: Contents) => JSON.stringify({ schema: migrations.at(-1)?.number, contents });

/** Returns where to start or resume the copy, or undefined if the target is already an equal copy. */
async function begin(
  target: MovedDatabase,
  tables: readonly KnownTable[],
  contents: Contents,
  observer: CopyObserver,
): Promise<Progress | undefined> {
  const source = describeContents(contents);
  const note = await readNote(target.database, target.engine);
  if (note === undefined) await refuseForeign(target.database, tables);
  else if (note.progress === null) await refuseUsed(target, tables, note, observer);
  if (note?.source === source && note.progress === null) return undefined;
  if (note?.source === source && note.progress !== null) {
    observer.note("Continuing the unfinished copy.");
    // If the run that started the copy is still active, its next `advance` fails.
    const progress = { ...note.progress, run: observer.run };
    await advance(target.database, note.progress, progress);
    return progress;
  }
  if (note !== undefined) observer.note("The source has changed since the last copy. Starting again.");
  const progress: Progress = { run: observer.run, step: tables[0]?.name ?? "", after: null, rows: 0 };
  await prepareNote(target.database);
  await target.database.transaction().execute(async (transaction) => {
    // First, so that a concurrent run either has committed its batch already or fails at its next one.
    await writeNote(transaction, { source, progress });
    await empty(transaction, tables);
  });
  return progress;
}

/** Throws `Conflict` if a database contains more than a server that starts on an empty one leaves, or an unfinished copy. */
export async function refuseData({ database, engine }: MovedDatabase, moved: readonly MovedTable[]): Promise<void> {
  await refuseUnfinishedCopy(database, engine);
  await refuseForeign(database, moved);
}

async function refuseForeign(database: Database, tables: readonly MovedTable[]): Promise<void> {
  for (const { name, isLeftByStart } of tables) {
    if (isLeftByStart) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(database);
    if (rows.length > 0) throw conflict("The target already contains data. Copy into an empty database.");
  }
}

/** Throws `Conflict` if a finished copy has been changed since; an unchanged one may be replaced. */
async function refuseUsed(
  { database }: MovedDatabase,
  tables: readonly KnownTable[],
  { source }: Note,
  observer: CopyObserver,
): Promise<void> {
  const contents = await readContents(database, tables, observer, "Comparing");
  if (describeContents(contents) === source) return;
  throw conflict("The target was used after the copy and contains other data. Copy into an empty database.");
}

async function empty(database: Database, tables: readonly KnownTable[]): Promise<void> {
  for (const name of INDEX_TABLES) await sql`delete from ${sql.table(name)}`.execute(database);
  for (const { name, horizon } of tables.toReversed()) {
    if (horizon !== undefined) await openHorizon(database, horizon);
    await sql`delete from ${sql.table(name)}`.execute(database);
  }
}

/** Lets all rows of the table with this horizon be deleted. */
async function openHorizon(database: Database, horizon: string): Promise<void> {
  await sql`delete from ${sql.table(horizon)}`.execute(database);
  await sql`insert into ${sql.table(horizon)} (number, deletable_before)
    values (1, ${Number.MAX_SAFE_INTEGER})`.execute(database);
}

interface Run {
  progress: Progress;
  total: number;
  observer: CopyObserver;
}

async function runSteps(source: Database, target: MovedDatabase, steps: readonly Step[], run: Run): Promise<Progress> {
  const { total, observer } = run;
  let { progress } = run;
  while (progress.step !== END && !observer.isStopped()) {
    progress = await runBatch(source, target.database, steps, progress);
    observer.watch("Copying", progress.rows, total);
  }
  return progress;
}

/** Copies one batch of rows and saves the progress in the same transaction. */
async function runBatch(
  source: Database,
  target: Database,
  steps: readonly Step[],
  progress: Progress,
): Promise<Progress> {
  const position = steps.findIndex(({ name }) => name === progress.step);
  const step = steps[position];
  if (step === undefined) throw new Error(`There is no step "${progress.step}" in copying.`);
  const { rows, last } = await readBatch(source, step.read, progress.after ?? undefined);
  const next: Progress = {
    step: last === undefined ? (steps[position + 1]?.name ?? END) : step.name,
    after: last ?? null,
    run: progress.run,
    rows: progress.rows + (step.copiesRows ? rows.length : 0),
  };
  await target.transaction().execute(async (transaction) => {
    await advance(transaction, progress, next);
    await step.write(transaction, rows);
  });
  return next;
}

/** The name of the step after the last one. */
const END = "compare";

async function compare(
  { database, differences }: MovedDatabase,
  tables: readonly KnownTable[],
  contents: Contents,
  observer: CopyObserver,
): Promise<void> {
  const found = await readContents(database, tables, observer, "Comparing");
  const difference = findDifference(contents, found);
  if (difference !== undefined) throw conflict(`${difference} ${START_OVER}`);
  const index = await findWrongIndex(database, differences);
  if (index !== undefined) throw conflict(`The search index ${index} differs from the source. ${START_OVER}`);
}

const START_OVER = "Empty the target and copy again.";
