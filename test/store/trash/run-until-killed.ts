import { openPostgres } from "../../../src/store/open-postgres.ts";
import { openSqlite } from "../../../src/store/open-sqlite.ts";
import type { TestDatabase } from "../../support/engines.ts";
import { buildCaller, connectTo } from "../support.ts";
import { runRandomly } from "./random-run.ts";

interface Given {
  database: TestDatabase;
  owner: { slug: string; userId: string; workspaceId: string };
  objects: string;
}

// This process runs until it is killed, and says before and after each step what it does and has.
const { database, owner, objects }: Given = JSON.parse(process.argv[2] ?? "");
const { databaseUrl, dataDir } = database;
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
await runRandomly({
  store: await (databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl)),
  rows: connectTo(database),
  owner: { ...owner, caller: buildCaller({ ...owner, role: "owner" }) },
  objects,
  steps: Number.POSITIVE_INFINITY,
  draw: Math.random,
  quota: 1e9,
  before: (intent) => say({ intent }),
  after: (_, inventory) => void say({ inventory }),
});
