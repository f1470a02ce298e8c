import { Database as Connection } from "bun:sqlite";
import { sqliteEngine } from "../engine.ts";
import { performRead } from "../long-reads.ts";
import { kyselyOver } from "./dialect.ts";
import { type ReadRequest, sendError, type ThreadMessage } from "./messages.ts";
import { configureReader } from "./reading.ts";

declare const self: Worker;

/** The thread for reads that take long: they hold it, and not the event loop. */
self.onmessage = (event: MessageEvent<{ path: string }>) => {
  try {
    open(event.data.path);
  } catch (error) {
    reply({ type: "unusable", error: sendError(error) });
  }
};

function reply(message: ThreadMessage | { type: "closed" }): void {
  self.postMessage(message);
}

function open(path: string): void {
  const connection = new Connection(path, { readonly: true });
  configureReader(connection);
  const database = kyselyOver(connection);
  self.onmessage = (event: MessageEvent<ReadRequest | "close">) => {
    if (event.data !== "close") return answer(event.data);
    connection.close();
    reply({ type: "closed" });
  };

  function answer({ id, name, input }: ReadRequest): void {
    // All of it on one state of the database. The sender's types made the pair fit; structured cloning keeps it.
    database
      .transaction()
      .execute((transaction) => performRead(transaction, sqliteEngine, name, input as never))
      .then((output) => reply({ type: "done", id, output }))
      .catch((error) => reply({ type: "failed", id, error: sendError(error) }));
  }

  reply({ type: "ready" });
}
