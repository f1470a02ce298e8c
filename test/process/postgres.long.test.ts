import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { createClient } from "../../src/client/client.ts";
import { listRoute } from "../../src/contract/reports/lists.ts";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { postgresUnavailable, startPostgres } from "../support/postgres.ts";
import { failureSchema } from "../support/scenarios.ts";
import { createFactories } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { pause, until } from "../support/until.ts";
import { type Program, publish, startProgram, strayLines } from "./program.ts";

/** Milliseconds within which every request must be answered. */
const PATIENCE = 60_000;
const CRASHES = 4;
const CLIENTS = 8;

async function addUser(databaseUrl: string): Promise<string> {
  const store = await openPostgres(databaseUrl);
  try {
    return (await createFactories(store).user()).token;
  } finally {
    await store.close();
  }
}

const contentOf = (id: string) => `<title>${id}</title>${`${id} `.repeat(200)}`;

const uploadOf = (id: string, name?: string) => ({
  files: [{ path: "index.html", content: contentOf(id) }],
  visibility: "public",
  ...(name === undefined ? {} : { name }),
});

describeIf("a PostgreSQL server that goes away", postgresUnavailable(), () => {
  let dataDir: string;
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let databaseUrl: string;
  let program: Program;
  let token: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "vitrine-postgres-"));
    postgres = await startPostgres({ durable: true });
    databaseUrl = await postgres.createDatabase();
    token = await addUser(databaseUrl);
    program = await startProgram({ dataDir, environment: { VITRINE_DATABASE_URL: databaseUrl } });
  });
  afterEach(async () => {
    await program[Symbol.asyncDispose]();
    await postgres.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(PATIENCE) });

  /** Every kind of request that needs the database. */
  const requests = (code: string): Record<string, () => Promise<Response>> => ({
    list: () => send(`${program.baseUrl}/api/list`),
    group: () => send(`${program.baseUrl}/api/group?name=g`),
    upload: () => send(`${program.baseUrl}/api/upload`, { method: "POST", body: JSON.stringify(uploadOf("x")) }),
    "link of a report": () => fetch(`${program.baseUrl}/${code}/`, { signal: AbortSignal.timeout(PATIENCE) }),
    "public report": () => fetch(`${program.contentUrl}/${code}/`, { signal: AbortSignal.timeout(PATIENCE) }),
    "report with a token": () => send(`${program.contentUrl}/${code}/`),
    "unknown report": () =>
      fetch(`${program.contentUrl}/A${"a".repeat(15)}/`, { signal: AbortSignal.timeout(PATIENCE) }),
  });

  async function expectUnavailable(name: string, response: Response): Promise<void> {
    expect([name, response.status]).toEqual([name, 503]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(response.headers.get("cache-control") ?? "").not.toContain("public");
    failureSchema.parse(await response.json());
  }

  /** Waits until the server has reconnected to its database. */
  async function untilItWorks(): Promise<void> {
    const deadline = Date.now() + PATIENCE;
    let status = 0;
    while (status !== 200 && Date.now() < deadline) ({ status } = await send(`${program.baseUrl}/api/list`));
    expect(status).toBe(200);
  }

  test.each(["fast", "immediate"] as const)(
    "requests get 503 while it is down (%s), and work again afterwards",
    async (mode) => {
      const published = await publish(program.baseUrl, token, uploadOf("first", "g"));
      const code = published.code ?? "";
      for (const request of Object.values(requests(code))) expect((await request()).status).toBeLessThan(500);
      await postgres.stop(mode);
      for (let round = 0; round < 2; round++) {
        for (const [name, request] of Object.entries(requests(code))) await expectUnavailable(name, await request());
      }
      const together = await Promise.all(
        Object.entries(requests(code)).map(async ([name, request]) => ({ name, response: await request() })),
      );
      for (const { name, response } of together) await expectUnavailable(name, response);
      expect((await fetch(`${program.baseUrl}/api/config`)).status).toBe(200);

      await postgres.start();
      await untilItWorks();
      for (const request of Object.values(requests(code))) expect((await request()).status).toBeLessThan(500);
      expect(await (await fetch(`${program.contentUrl}/${code}/`)).text()).toBe(contentOf("first"));
      expect(await program.stop()).toBe(0);
    },
  );

  test.each(["fast", "immediate"] as const)("requests under way get 503 (%s)", async (mode) => {
    const { code = "" } = await publish(program.baseUrl, token, uploadOf("first", "g"));
    const client = new Client({ connectionString: databaseUrl }).on("error", () => undefined);
    await client.connect();
    await client.query("begin");
    await client.query("lock table items, versions, workspaces in access exclusive mode");
    const waiting = Object.entries(requests(code)).map(async ([name, request]) => ({
      name,
      response: await request(),
    }));
    const isWaiting = "select count(*)::int as count from pg_locks where not granted";
    for (let count = 0; count < waiting.length; ) {
      const { rows } = await client.query<{ count: number }>(isWaiting);
      count = rows[0]?.count ?? 0;
    }
    await postgres.stop(mode);
    for (const { name, response } of await Promise.all(waiting)) {
      // A slow shutdown may end the lock before the queries that wait for it.
      if (mode === "immediate" || response.status >= 500) await expectUnavailable(name, response);
    }
    await client.end().catch(() => undefined);
    await postgres.start();
    await untilItWorks();
    expect(strayLines(program.log())).toEqual([]);
    expect(await program.stop()).toBe(0);
  });

  test("a server that is just starting survives", async () => {
    for (let round = 0; round < 5; round++) {
      await using starting = await startProgram({ dataDir, environment: { VITRINE_DATABASE_URL: databaseUrl } });
      await postgres.stop("immediate");
      expect((await send(`${starting.baseUrl}/api/list`)).status).toBe(503);
      expect(await starting.stop()).toBe(0);
      await postgres.start();
    }
  });

  test("a server stops on SIGTERM while it is down", async () => {
    await postgres.stop();
    expect((await send(`${program.baseUrl}/api/list`)).status).toBe(503);
    expect(await program.stop()).toBe(0);
  });

  test(`${CRASHES} crashes under concurrent publishing lose no acknowledged version`, async () => {
    const acknowledged = new Map<string, string>();
    const statuses = new Set<number>();
    for (let crash = 0; crash < CRASHES; crash++) {
      let going = true;
      const runClient = async (client: number) => {
        for (let turn = 0; going; turn++) {
          const id = `${crash}.${client}.${turn}`;
          const name = turn % 2 === 0 ? "shared" : undefined;
          const answer = await publish(program.baseUrl, token, uploadOf(id, name));
          statuses.add(answer.status);
          if (answer.code !== undefined) acknowledged.set(answer.code, id);
        }
      };
      const before = acknowledged.size;
      const clients = Array.from({ length: CLIENTS }, (_, client) => runClient(client));
      // However slow the machine is, there is something to lose.
      await until(async () => acknowledged.size > before || undefined);
      await pause(Math.random() * 200, "the moment of a crash");
      await postgres.stop("immediate");
      going = false;
      await Promise.all(clients);
      await postgres.start();
      await untilItWorks();
    }
    // The log mentions unexpected errors.
    expect(program.log()).not.toContain("failed unexpectedly");
    expect(strayLines(program.log())).toEqual([]);
    expect([...statuses].toSorted()).toEqual([200, 503]);

    const client = createClient({ baseUrl: program.baseUrl, token });
    const { standalone } = await client.call(listRoute);
    const shared = await client.call(groupRoute, { query: { name: "shared" } });
    const numbers = shared.versions.map(({ version_no }) => version_no);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(shared.current_code).toBe(shared.versions[0]?.code ?? "");
    const there = new Set([...standalone, ...shared.versions].map(({ code }) => code));
    expect([...acknowledged.keys()].filter((code) => !there.has(code))).toEqual([]);
    for (const code of there) {
      const text = await (await fetch(`${program.contentUrl}/${code}/`)).text();
      const [, id = ""] = /<title>([^<]*)</.exec(text) ?? [];
      expect({ code, id, isWhole: text === contentOf(id) }).toEqual({
        code,
        id: acknowledged.get(code) ?? id,
        isWhole: true,
      });
    }
    console.log(`${CRASHES} crashes, ${acknowledged.size} acknowledged versions present, of ${there.size}`);
  });
});
