import { serveCalls } from "../../../threads/serve-calls.ts";
import type { Perform, WriteRequest } from "../calls.ts";
import { sqliteEngine } from "../engine.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { kyselyOver } from "./dialect.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openWriter } from "./writing.ts";

export type WriterCalls = { write(request: WriteRequest): Promise<unknown> };

/** Serves writes in the thread that owns the writing connection, so that disk syncs don't block the event loop. */
export function serveWrites(perform: Perform): void {
  serveCalls<string, WriterCalls>(async (path) => {
    const connection = await openWriter(path);
    await migrate(kyselyOver<unknown>(connection), sqliteEngine, migrations);
    const groupCommit = createGroupCommit(connection, kyselyOver(connection), perform);
    return { handlers: { write: groupCommit.write }, close: () => connection.close() };
  });
}
