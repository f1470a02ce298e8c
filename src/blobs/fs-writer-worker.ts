import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { serveCalls } from "../threads/serve-calls.ts";

/** An object to be written; its directory is there. */
export interface WriteObject {
  directory: string;
  key: string;
  content: Uint8Array;
}

export interface Written {
  /** Milliseconds that the batch took for each of its objects. */
  pace: number;
}

export type FileWriterCalls = { write(object: WriteObject): Promise<Written> };

interface Queued extends WriteObject {
  resolve(written: Written): void;
  reject(error: unknown): void;
}

/** What temporary files end in; one that a crash has left behind is swept by it. */
const TEMPORARY_SUFFIX = ".new";

/** Written objects of this size are collected at once: a thread that makes little else would keep them for long. */
const LARGE_BYTES = 1024 * 1024;

/** More would make the first of a batch wait long for the last. */
const BATCH = 8;

/**
 * An object that comes within so many milliseconds of the last batch has company that waited with it, and waits a turn
 * more for all of it; one that comes later is written at once.
 */
const GATHERING_TIME = 0.1;

/** Open handles; there are few directories, and syncing one needs it open. */
const directories = new Map<string, number>();
const queue: Queued[] = [];
let finishedAt = 0;

/** The thread that writes and syncs objects: plain calls in one go are faster than a hop for each of them. */
serveCalls<undefined, FileWriterCalls>(() => ({
  handlers: {
    write: (object) =>
      new Promise((resolve, reject) => {
        if (queue.push({ ...object, resolve, reject }) > 1) return;
        if (performance.now() - finishedAt > GATHERING_TIME) writeQueued();
        else setImmediate(writeQueued);
      }),
  },
}));

/** Writes all that is waiting; objects of one batch share the syncing of their directories. */
function writeQueued(): void {
  const batch = queue.splice(0, BATCH);
  if (queue.length > 0) setImmediate(writeQueued);
  const startedAt = performance.now();
  const errors = new Map<Queued, unknown>();
  for (const object of batch) attempt(object, errors);
  const written = batch.filter((object) => !errors.has(object));
  const synced = new Map<string, unknown>();
  for (const { directory } of written) if (!synced.has(directory)) synced.set(directory, syncDirectory(directory));
  finishedAt = performance.now();
  const pace = (finishedAt - startedAt) / batch.length;
  for (const object of batch) {
    const error = errors.get(object) ?? synced.get(object.directory);
    if (error === undefined) object.resolve({ pace });
    else object.reject(error);
  }
  if (batch.some(({ content }) => content.length >= LARGE_BYTES)) setImmediate(() => Bun.gc(true));
}

function attempt(object: Queued, errors: Map<Queued, unknown>): void {
  try {
    writeObject(object);
  } catch (error) {
    errors.set(object, error);
  }
}

function writeObject({ directory, key, content }: WriteObject): void {
  // Unique also among threads, and among processes of the same id in several containers.
  const temporary = `${directory}/${key}.${crypto.randomUUID()}${TEMPORARY_SUFFIX}`;
  try {
    writeSynced(temporary, content);
    renameSync(temporary, `${directory}/${key}`);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeSynced(path: string, content: Uint8Array): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let written = 0; written < content.length; ) written += writeSync(file, content, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the renames last (fsync(2) of the directory). Returns what went wrong. */
function syncDirectory(directory: string): unknown {
  try {
    let handle = directories.get(directory);
    if (handle === undefined) {
      handle = openSync(directory, "r");
      directories.set(directory, handle);
    }
    fsyncSync(handle);
    return undefined;
  } catch (error) {
    return error;
  }
}
