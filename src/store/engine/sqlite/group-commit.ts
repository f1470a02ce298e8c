import type { Perform, WriteRequest } from "../calls.ts";
import type { Database } from "../schema.ts";
import type { Connection } from "./connection.ts";

/** A larger batch would delay its first write too long. */
const BATCH = 64;
/** Milliseconds. */
const GATHERING_TIME = 0.1;

interface Queued {
  request: WriteRequest;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * Creates a queue that runs all waiting writes in one transaction, in order, so that they share one disk sync. If one of
 * them fails, they run again with a savepoint each, so that it fails alone.
 */
export function createGroupCommit(connection: Connection, database: Database, perform: Perform) {
  const queue: Queued[] = [];
  let running = false;
  let finishedAt = 0;

  /** Resolves to the output of a write once it is durable. */
  function write(request: WriteRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      queue.push({ request, resolve, reject });
      if (running) return;
      running = true;
      // Right after a transaction, other writes are likely to follow at once, so wait for them to share the next one.
      if (performance.now() - finishedAt > GATHERING_TIME) drain();
      else setImmediate(drain);
    });
  }

  /**
   * Runs all queued writes. Callers don't await it, because `runBatch` settles the promise of each write. It rejects
   * only if a transaction can be neither committed nor rolled back. The rejection ends the thread, so that callers
   * learn that the outcome is unknown, and the next thread opens a new connection.
   */
  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await runBatch(queue.splice(0, BATCH));
      // Let messages in that have arrived meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    }
    running = false;
    finishedAt = performance.now();
  }

  async function runBatch(batch: readonly Queued[]): Promise<void> {
    try {
      const answers = (await runUnlessOneFails(batch)) ?? (await runEachAlone(batch));
      for (const answer of answers) answer();
    } catch (error) {
      if (connection.inTransaction) connection.run("rollback");
      for (const { reject } of batch) reject(error);
    }
  }

  /**
   * Runs writes without savepoints, which take as long as a small write. Returns functions that settle their promises;
   * undefined if one fails while others could succeed, with nothing changed.
   */
  async function runUnlessOneFails(batch: readonly Queued[]): Promise<(() => void)[] | undefined> {
    connection.prepareOnce("begin immediate").run();
    const answers: (() => void)[] = [];
    for (const { request, resolve } of batch) {
      try {
        const output = await perform(database, request.name, request.input, request.cause);
        answers.push(() => resolve(output));
      } catch (error) {
        if (batch.length === 1 || !connection.inTransaction) throw error;
        connection.run("rollback");
        return undefined;
      }
    }
    connection.prepareOnce("commit").run();
    return answers;
  }

  async function runEachAlone(batch: readonly Queued[]): Promise<(() => void)[]> {
    connection.prepareOnce("begin immediate").run();
    const answers: (() => void)[] = [];
    for (const queued of batch) answers.push(await runOne(queued));
    connection.prepareOnce("commit").run();
    return answers;
  }

  /** Runs one write in a savepoint. Returns a function that settles its promise, for after the commit. */
  async function runOne({ request: { name, input, cause }, resolve, reject }: Queued): Promise<() => void> {
    connection.run("savepoint one");
    try {
      const output = await perform(database, name, input, cause);
      connection.run("release one");
      return () => resolve(output);
    } catch (error) {
      // A full disk rolls back the whole transaction, including the savepoints and all other writes.
      if (!connection.inTransaction) throw error;
      connection.run("rollback to one");
      connection.run("release one");
      return () => reject(error);
    }
  }

  return { write };
}
