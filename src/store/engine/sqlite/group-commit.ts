import type { Database as Connection } from "bun:sqlite";
import type { Perform } from "../calls.ts";
import type { Database } from "../schema.ts";

/** More would make the first of a batch wait long for the last. */
const BATCH = 64;
/** Milliseconds. */
const GATHERING_TIME = 0.1;

export interface WriteRequest {
  name: string;
  input: unknown;
}

interface Queued {
  request: WriteRequest;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs queued writes in order, all that are waiting in one transaction, so that they share one sync of the disk. Each
 * stands or falls alone: it runs within a savepoint.
 */
export function createGroupCommit(connection: Connection, database: Database, perform: Perform) {
  const queue: Queued[] = [];
  let running = false;
  let finishedAt = 0;

  /** Resolves to the operation's output when it is durable. */
  function write(request: WriteRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      queue.push({ request, resolve, reject });
      if (running) return;
      running = true;
      // What comes right after a transaction has company that waited with it, and all of it shares the next one.
      if (performance.now() - finishedAt > GATHERING_TIME) drain();
      else setImmediate(drain);
    });
  }

  /**
   * Waited for by nobody: each write has a promise of its own, and `runBatch` settles them. It rejects only when a
   * transaction could be neither committed nor rolled back. That ends the thread, as it should: the next one gets a new
   * connection, and whoever waits is told that the outcome is unknown.
   */
  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await runBatch(queue.splice(0, BATCH));
      // Lets the messages in that have come meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    }
    running = false;
    finishedAt = performance.now();
  }

  async function runBatch(batch: readonly Queued[]): Promise<void> {
    try {
      connection.run("begin immediate");
      const answers: (() => void)[] = [];
      for (const queued of batch) answers.push(await runOne(queued));
      connection.run("commit");
      for (const answer of answers) answer();
    } catch (error) {
      if (connection.inTransaction) connection.run("rollback");
      for (const { reject } of batch) reject(error);
    }
  }

  /** Returns what tells the outcome, once it is durable. */
  async function runOne({ request: { name, input }, resolve, reject }: Queued): Promise<() => void> {
    connection.run("savepoint one");
    try {
      const output = await perform(database, name, input);
      connection.run("release one");
      return () => resolve(output);
    } catch (error) {
      // A full disk ends the whole transaction; then there is no savepoint left and no other write has happened either.
      if (!connection.inTransaction) throw error;
      connection.run("rollback to one");
      connection.run("release one");
      return () => reject(error);
    }
  }

  return { write };
}
