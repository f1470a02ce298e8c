import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { serveCalls } from "../threads/serve-calls.ts";

/** An object to write into an existing directory. */
export interface WriteObject {
  directory: string;
  key: string;
  content: Uint8Array;
  /** Whether the key is still unused, so that no reader can find an incomplete object. */
  isNew: boolean;
}

export interface Written {
  /** Milliseconds that the batch took per object. */
  pace: number;
}

export type FileWriterCalls = { write(object: WriteObject): Promise<Written> };

interface Queued extends WriteObject {
  resolve(written: Written): void;
  reject(error: unknown): void;
}

/** The suffix of temporary files, by which the sweep recognizes those left by a crash. */
const TEMPORARY_SUFFIX = ".new";

/** After objects of this size the thread collects garbage, which it would otherwise keep for long. */
const LARGE_BYTES = 1024 * 1024;

/** Objects in a batch. With more, the first would wait too long for the last. */
const BATCH = 8;

/**
 * Milliseconds. An object that arrives this soon after a batch waits a turn for others that waited for the batch too; a
 * later one is written at once.
 */
const GATHERING_TIME = 0.1;

/** Open handles of the few directories, which syncing needs. */
const directories = new Map<string, number>();
const queue: Queued[] = [];
let finishedAt = 0;

/** Writes and syncs objects with synchronous calls, which are faster in a thread than asynchronous ones. */
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

/** Writes the next batch, which syncs each directory once. */
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

/**
 * Writes an object whose name the sync of its directory makes durable. A new one gets its name before its own sync, which
 * then makes both durable in one commit of the file system's journal; the directory's has nothing left to do.
 */
function writeObject({ directory, key, content, isNew }: WriteObject): void {
  const path = `${directory}/${key}`;
  // Unique even among threads, and among containers whose processes have the same id.
  let written = `${path}.${crypto.randomUUID()}${TEMPORARY_SUFFIX}`;
  const giveName = () => {
    renameSync(written, path);
    if (isNew) written = path;
  };
  try {
    const file = openSync(written, "wx", 0o600);
    try {
      for (let done = 0; done < content.length; ) done += writeSync(file, content, done);
      if (isNew) giveName();
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (!isNew) giveName();
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
}

/** Syncs a directory to make renames durable. Returns the error, if any. */
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
