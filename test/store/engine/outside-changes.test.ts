import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { announceChange } from "../../../src/store/engine/sqlite/outside-changes.ts";
import { openSqlite } from "../../../src/store/open-sqlite.ts";
import { until } from "../../support/until.ts";

test("a server notices each change that another process announces, and no other writes", async () => {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  let notices = 0;
  const server = await openSqlite(directory, { changedOutside: () => void notices++ });
  const command = await openSqlite(directory);
  const probe = () => ({ id: `ver_${crypto.randomUUID()}`, now: 1 });
  try {
    await server.operations.writeProbe(probe());
    await command.operations.writeProbe(probe());
    await announceChange(join(directory, "vitrine.db"));
    await until(() => notices > 0);
    expect(notices).toBe(1);
    await announceChange(join(directory, "vitrine.db"));
    await until(() => notices > 1);
    expect(notices).toBe(2);
  } finally {
    await server.close();
    await command.close();
    await rm(directory, { recursive: true });
  }
});
