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
import { GRAM_TABLES, type MovedTable } from "./tables.ts";

/** A database that is copied from or to. */
export interface MovedDatabase {
  engine: Engine;
  differences: Differences;
  /** What a source is read by, and a target written by. */
  database: Database;
  snapshot: Snapshot;
  close(): Promise<void>;
}

export type Phase = "Reading" | "Copying" | "Comparing";

interface Watching {
  /** Names this run; never used twice. */
  run: string;
  watch(phase: Phase, rows: number, total: number): void;
  note(sentence: string): void;
  isStopped(): boolean;
}

export interface DatabaseCopied {
  state: "copied" | "alreadyThere" | "interrupted";
  /** In all tables of the source. */
  rows: number;
  /** By this run. */
  copied: number;
  tables: Readonly<Record<string, number>>;
}

/**
 * Copies all that one database had at one moment into another, an empty one or one into which a copy was begun, and
 * compares the two. Throws `Conflict` when the target has anything else in it, or differs in the end.
 */
export async function copyDatabase(
  source: MovedDatabase,
  target: MovedDatabase,
  watching: Watching,
  moved: readonly MovedTable[],
): Promise<DatabaseCopied> {
  return source.snapshot(async (database) => {
    await refuseUnfinishedCopy(database, source.engine);
    await refuseOtherSchema(database);
    const tables = await describeTables(database, source.differences, moved);
    const contents = await readContents(database, tables, watching, "Reading");
    const total = countRows(contents);
    const copied = (state: DatabaseCopied["state"], rows: number): DatabaseCopied => ({
      state,
      rows: total,
      copied: rows,
      tables: Object.fromEntries(Object.entries(contents).map(([name, { rows: count }]) => [name, count])),
    });
    const progress = await begin(target, tables, contents, watching);
    if (progress === undefined) return copied("alreadyThere", 0);
    const last = await runSteps(database, target, stepsFor(tables), { progress, total, watching });
    const rows = last.rows - progress.rows;
    if (watching.isStopped()) return copied("interrupted", rows);
    for (const { name } of tables.filter(({ counts }) => counts)) {
      const number = await source.differences.readLastNumber(database, name);
      await target.differences.setLastNumber(target.database, name, number);
    }
    await compare(target, tables, contents, watching);
    await advance(target.database, last, null);
    return copied("copied", rows);
  });
}

/** Rows can be copied as they are only where both have the same columns. */
async function refuseOtherSchema(source: Database): Promise<void> {
  const { rows } = await sql<{ newest: number }>`select max(number) as newest from migrations`.execute(source);
  if (rows[0]?.newest === migrations.at(-1)?.number) return;
  throw conflict("The source was last used by another version of Vitrine. Start this version on it once, then copy.");
}

async function readContents(
  database: Database,
  tables: readonly KnownTable[],
  { watch }: Watching,
  phase: Phase,
): Promise<Contents> {
  const total = await countAll(database, tables);
  let read = 0;
  return digestAll(database, tables, (rows) => {
    read += rows;
    watch(phase, read, total);
  });
}

/** Also of which schema: a newer one has filled columns of its own in what was copied before. */
const inWords = (contents: Contents) => JSON.stringify({ schema: migrations.at(-1)?.number, contents });

/** From where to go on; undefined where there is nothing to be done. */
async function begin(
  target: MovedDatabase,
  tables: readonly KnownTable[],
  contents: Contents,
  watching: Watching,
): Promise<Progress | undefined> {
  const source = inWords(contents);
  const note = await readNote(target.database, target.engine);
  if (note === undefined) await refuseForeign(target.database, tables);
  else if (note.progress === null) await refuseUsed(target, tables, note, watching);
  if (note?.source === source && note.progress === null) return undefined;
  if (note?.source === source && note.progress !== null) {
    watching.note("Continuing the unfinished copy.");
    // Should the run that began it still be under way, it notices and ends.
    const progress = { ...note.progress, run: watching.run };
    await advance(target.database, note.progress, progress);
    return progress;
  }
  if (note !== undefined) watching.note("The source has changed since the last copy. Starting again.");
  const progress: Progress = { run: watching.run, step: tables[0]?.name ?? "", after: null, rows: 0 };
  await prepareNote(target.database);
  await target.database.transaction().execute(async (transaction) => {
    // First, so that whoever else is copying has either done its batch or does none any more.
    await writeNote(transaction, { source, progress });
    await empty(transaction, tables);
  });
  return progress;
}

async function refuseForeign(database: Database, tables: readonly KnownTable[]): Promise<void> {
  for (const { name, isLeftByStart } of tables) {
    if (isLeftByStart) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(database);
    if (rows.length > 0) throw conflict("The target already contains data. Copy into an empty database.");
  }
}

/** A finished copy may be made anew as long as nobody has changed anything in it. */
async function refuseUsed(
  { database }: MovedDatabase,
  tables: readonly KnownTable[],
  { source }: Note,
  watching: Watching,
): Promise<void> {
  const contents = await readContents(database, tables, watching, "Comparing");
  if (inWords(contents) === source) return;
  throw conflict("The target was used after the copy and contains other data. Copy into an empty database.");
}

async function empty(database: Database, tables: readonly KnownTable[]): Promise<void> {
  for (const name of [...GRAM_TABLES, ...tables.map((table) => table.name).toReversed()]) {
    await sql`delete from ${sql.table(name)}`.execute(database);
  }
}

interface Run {
  progress: Progress;
  total: number;
  watching: Watching;
}

async function runSteps(source: Database, target: MovedDatabase, steps: readonly Step[], run: Run): Promise<Progress> {
  const { total, watching } = run;
  let { progress } = run;
  while (progress.step !== END && !watching.isStopped()) {
    progress = await runBatch(source, target.database, steps, progress);
    watching.watch("Copying", progress.rows, total);
  }
  return progress;
}

/** Writes some rows, in one transaction with the note of it. */
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

/** The step after the last one. */
const END = "compare";

async function compare(
  { database, differences }: MovedDatabase,
  tables: readonly KnownTable[],
  contents: Contents,
  watching: Watching,
): Promise<void> {
  const found = await readContents(database, tables, watching, "Comparing");
  const difference = findDifference(contents, found);
  if (difference !== undefined) throw conflict(`${difference} ${START_OVER}`);
  const index = await findWrongIndex(database, differences);
  if (index !== undefined) throw conflict(`The search index ${index} differs from the source. ${START_OVER}`);
}

const START_OVER = "Empty the target and copy again.";
