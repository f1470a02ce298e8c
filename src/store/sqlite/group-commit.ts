import type { Database as Connection } from "bun:sqlite";
import { perform } from "../operations.ts";
import type { Database } from "../schema.ts";
import { sendError, type ThreadMessage, type WriteRequest } from "./messages.ts";

/** More would make the first of a batch wait long for the last. */
const BATCH = 64;
/** Milliseconds. */
const GATHERING_TIME = 0.1;

/**
 * Runs queued writes in order, all that are waiting in one transaction, so that they share one sync of the disk. Each
 * stands or falls alone: it runs within a savepoint.
 */
export function createGroupCommit(connection: Connection, database: Database, reply: (message: ThreadMessage) => void) {
  const queue: WriteRequest[] = [];
  let running = false;
  let finishedAt = 0;

  function enqueue(request: WriteRequest): void {
    queue.push(request);
    if (running) return;
    running = true;
    // What comes right after a transaction has company that waited with it, and all of it shares the next one.
    if (performance.now() - finishedAt > GATHERING_TIME) drain();
    else setImmediate(drain);
  }

  async function drain(): Promise<void> {
    try {
      while (queue.length > 0) {
        const batch = queue.splice(0, BATCH);
        for (const message of await runBatch(batch)) reply(message);
        // Lets the messages in that have come meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      running = false;
      finishedAt = performance.now();
    }
  }

  async function runBatch(batch: readonly WriteRequest[]): Promise<ThreadMessage[]> {
    try {
      connection.run("begin immediate");
      const replies: ThreadMessage[] = [];
      for (const request of batch) replies.push(await runOne(request));
      connection.run("commit");
      return replies;
    } catch (error) {
      if (connection.inTransaction) connection.run("rollback");
      return batch.map(({ id }) => ({ type: "failed", id, error: sendError(error) }));
    }
  }

  async function runOne({ id, name, input }: WriteRequest): Promise<ThreadMessage> {
    connection.run("savepoint one");
    try {
      // The sender's types made the pair fit; structured cloning keeps it.
      const output = await perform(database, name, input as never);
      connection.run("release one");
      return { type: "done", id, output };
    } catch (error) {
      // A full disk ends the whole transaction; then there is no savepoint left and no other write has happened either.
      if (!connection.inTransaction) throw error;
      connection.run("rollback to one");
      connection.run("release one");
      return { type: "failed", id, error: sendError(error) };
    }
  }

  return { enqueue };
}
