import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../../src/store/open-sqlite.ts";
import { until } from "../../support/until.ts";

/** Opens a database as a server does, and counts how often it looks for changes of others and finds some. */
async function openWatching(directory: string) {
  const Original = globalThis.Worker;
  const counts = { looks: 0, notices: 0 };
  globalThis.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Original>) {
      super(...args);
      const post = this.postMessage.bind(this);
      const value = (message: unknown) => {
        if (JSON.stringify(message).includes("outsideMark")) counts.looks++;
        post(message);
      };
      Object.defineProperty(this, "postMessage", { value });
    }
  };
  try {
    const store = await openSqlite(directory, { changedOutside: () => void counts.notices++ });
    return { store, counts };
  } finally {
    globalThis.Worker = Original;
  }
}

test("a server notices what another process writes, and not what it writes itself", async () => {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  const { store: server, counts } = await openWatching(directory);
  const command = await openSqlite(directory);
  const probe = () => ({ id: `ver_${crypto.randomUUID()}`, now: 1 });
  try {
    await until(() => counts.looks > 1);
    const { looks } = counts;
    await until(async () => {
      await server.operations.writeProbe(probe());
      return counts.looks > looks + 2;
    });
    expect(counts.notices).toBe(0);
    await command.operations.writeProbe(probe());
    await until(() => counts.notices > 0);
    expect(counts.notices).toBe(1);
  } finally {
    await server.close();
    await command.close();
    await rm(directory, { recursive: true });
  }
});
