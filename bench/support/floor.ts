import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Does the minimum of a durable publish: writes and syncs a new file, and commits and syncs a small row. */
export function createFloor(directory: string) {
  const files = join(directory, "floor");
  mkdirSync(files);
  const database = new Database(join(directory, "floor.db"), { create: true });
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  database.run("create table reports (code text primary key, size integer not null)");
  const insert = database.query("insert into reports values (?, ?)");
  let written = 0;

  function publish(content: Uint8Array): void {
    const name = `file-${++written}`;
    const file = openSync(join(files, name), "wx");
    writeSync(file, content);
    fsyncSync(file);
    closeSync(file);
    insert.run(name, content.length);
  }

  /** Returns the milliseconds of each of `count` publishes. */
  function time(content: Uint8Array, count: number): number[] {
    return Array.from({ length: count }, () => {
      const begin = performance.now();
      publish(content);
      return performance.now() - begin;
    });
  }

  return { time, close: () => database.close() };
}
