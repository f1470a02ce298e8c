import { sqliteEngine } from "../engine.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { kyselyOver } from "./dialect.ts";
import { createGroupCommit } from "./group-commit.ts";
import { sendError, type ThreadMessage, type WriteRequest } from "./messages.ts";
import { openWriter } from "./writing.ts";

declare const self: Worker;

/** The thread that owns the writing connection: syncing the disk holds it, and not the event loop. */
self.onmessage = (event: MessageEvent<{ path: string }>) => {
  open(event.data.path).catch((error: unknown) => reply({ type: "unusable", error: sendError(error) }));
};

function reply(message: ThreadMessage): void {
  self.postMessage(message);
}

async function open(path: string): Promise<void> {
  const connection = await openWriter(path);
  await migrate(kyselyOver<unknown>(connection), sqliteEngine, migrations);
  const groupCommit = createGroupCommit(connection, kyselyOver(connection), reply);
  self.onmessage = (event: MessageEvent<WriteRequest | "close">) => {
    if (event.data === "close") {
      connection.close();
      self.postMessage({ type: "closed" });
    } else {
      groupCommit.enqueue(event.data);
    }
  };
  reply({ type: "ready" });
}
