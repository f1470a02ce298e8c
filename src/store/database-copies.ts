import { rm } from "node:fs/promises";
import { sql } from "kysely";
import type { PublishedObjects } from "../domain/operations/moving.ts";
import { createThreads } from "../threads/threads.ts";
import { migrations } from "./engine/migrations/index.ts";
import { copyDatabase, type MovedDatabase } from "./engine/moving/copy.ts";
import { openSqliteSource, openSqliteTarget } from "./engine/sqlite/open-moved.ts";
import type { CopierCalls } from "./engine/sqlite/serve-copies.ts";
import { MOVED_TABLES } from "./moved-tables.ts";
import { forgetRunningBackups } from "./operations/backups.ts";
import { listPublished } from "./operations/published.ts";

/** Milliseconds. A copy of a large database on a slow disk takes hours. */
const COPY_DEADLINE = 24 * 60 * 60_000;

/** The number of the newest migration. */
export const NEWEST_SCHEMA: number = migrations.at(-1)?.number ?? 0;

/** A SQLite file that no server uses. */
export interface OpenCopy {
  path: string;
  schema: number;
  published: PublishedObjects;
  database: MovedDatabase;
  /** Closes and deletes the file. */
  remove(): Promise<void>;
}

interface CopyObserver {
  run: string;
  watchRows(rows: number, total: number): void;
  /** Throws if the work has to stop. */
  check(): void;
}

/** Copies one state of a SQLite database into a new file. */
export async function copySqlite(from: string, to: string): Promise<OpenCopy> {
  const copier = createThreads().create<CopierCalls>({
    name: "database copier",
    script: new URL("./sqlite-copier-worker.ts", import.meta.url),
    deadline: COPY_DEADLINE,
  });
  try {
    await copier.call("copy", { from, to });
  } finally {
    await copier.close();
  }
  return openCopy(to);
}

/** Copies one state of a database into a new SQLite file and compares the two. */
export async function copyIntoSqlite(source: MovedDatabase, to: string, observer: CopyObserver): Promise<OpenCopy> {
  const target = await openSqliteTarget(to);
  await copyBetween(source, target, observer).finally(target.close);
  return openCopy(to);
}

/** Copies a file into another, empty database and compares the two. Continues an interrupted copy. */
export async function copyFromSqlite(path: string, target: MovedDatabase, observer: CopyObserver): Promise<void> {
  const source = openSqliteSource(path);
  await copyBetween(source, target, observer).finally(source.close);
}

async function copyBetween(source: MovedDatabase, target: MovedDatabase, { run, watchRows, check }: CopyObserver) {
  const observer = {
    run,
    watch(_: string, rows: number, total: number) {
      check();
      watchRows(rows, total);
    },
    note: () => undefined,
    isStopped: () => false,
  };
  await copyDatabase(source, target, observer, MOVED_TABLES);
}

/** Migrates a copy to the newest schema, removes what belongs to its source only, and opens it for reading. */
export async function openCopy(path: string): Promise<OpenCopy> {
  const { database, close } = await openSqliteTarget(path);
  try {
    await forgetRunningBackups(database);
    await sql`drop table if exists database_copy`.execute(database);
    // One file, without a log beside it.
    await sql`pragma journal_mode = delete`.execute(database);
  } finally {
    await close();
  }
  const opened = openSqliteSource(path);
  return {
    path,
    schema: NEWEST_SCHEMA,
    published: listPublished(opened.database, { isSortedByCodePoint: true }),
    database: opened,
    async remove() {
      await opened.close();
      await rm(path, { force: true });
    },
  };
}
