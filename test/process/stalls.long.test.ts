import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { type Line, startLine } from "../replicas/line.ts";
import { type PostgresServer, postgresUnavailable, startPostgres } from "../support/postgres.ts";
import { createFactories } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { publish, startProgram, strayLines } from "./program.ts";
import { lockWorkspaces, silence, stopServer } from "./stalls.ts";

const CLIENTS = 8;
/** Acknowledged before a stall, and again after it. */
const AROUND = 100;
/** How often each client is refused on average before a stall ends. */
const REFUSALS = 2;

describeIf("a server whose PostgreSQL stalls", postgresUnavailable(), () => {
  let dataDir: string;
  let postgres: PostgresServer;
  let databaseUrl: string;
  let line: Line;
  let admin: Client;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "vitrine-stalls-"));
    postgres = await startPostgres();
    databaseUrl = await postgres.createDatabase();
    line = await startLine(postgres.port);
    admin = new Client({ connectionString: databaseUrl });
    await admin.connect();
  });
  afterEach(async () => {
    await admin.end();
    await line[Symbol.asyncDispose]();
    await postgres.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function addUser(): Promise<string> {
    const store = await openPostgres(databaseUrl);
    try {
      return (await createFactories(store).user()).token;
    } finally {
      await store.close();
    }
  }

  test.each([
    ["because rows are locked", lockWorkspaces],
    ["because it is stopped (SIGSTOP)", stopServer],
    ["because the network is silent", silence],
  ] as const)("%s keeps everything acknowledged through a clean stop and start", async (what, stall) => {
    const token = await addUser();
    const url = new URL(databaseUrl);
    url.port = String(line.port);
    const environment = { VITRINE_DATABASE_URL: url.href, VITRINE_DATABASE_TIMEOUT: "1" };
    await using program = await startProgram({ dataDir, environment });
    const publishing = startPublishing(program.baseUrl, token);
    await until(async () => publishing.acknowledged.length >= AROUND || undefined);
    const end = await stall({ postgres, line, admin });
    const { refused } = publishing.counts();
    try {
      const wanted = refused + CLIENTS * REFUSALS;
      await until(async () => publishing.counts().refused >= wanted || undefined);
    } finally {
      await end();
    }
    const wanted = publishing.acknowledged.length + AROUND;
    await until(async () => publishing.acknowledged.length >= wanted || undefined);
    await publishing.stop();
    expect(await program.stop()).toBe(0);
    expect(strayLines(program.log())).toEqual([]);

    await using next = await startProgram({ dataDir, environment: { VITRINE_DATABASE_URL: databaseUrl } });
    const missing: string[] = [];
    for (const code of publishing.acknowledged) {
      const response = await fetch(`${next.contentUrl}/${code}/`, { method: "HEAD" });
      if (response.status !== 200) missing.push(code);
    }
    expect(missing).toEqual([]);
    expect(await next.stop()).toBe(0);
    const { statuses } = publishing.counts();
    expect([...statuses].toSorted()).toEqual([200, 503]);
    console.log(`${what}: ${publishing.acknowledged.length} acknowledged versions present, 0 lost`);
  });
});

/** Publishes from several clients until stopped; every second time into a folder, which requires a transaction. */
function startPublishing(baseUrl: string, token: string) {
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let refused = 0;
  let isOver = false;

  async function run(client: number): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const answer = await publish(baseUrl, token, {
        files: [{ path: "index.html", content: `<title>${client}.${turn}</title>` }],
        visibility: "public",
        ...(turn % 2 === 0 ? { folder: `Folder ${client}` } : {}),
        ...(turn % 3 === 0 ? { name: "shared" } : {}),
      });
      statuses.add(answer.status);
      if (answer.code !== undefined) acknowledged.push(answer.code);
      else refused++;
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, client) => run(client));
  return {
    acknowledged,
    counts: () => ({ refused, statuses }),
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}
