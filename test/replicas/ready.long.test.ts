import { expect, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readLive } from "../hosts/live/readers.ts";
import { until } from "../support/content.ts";
import { createTestDatabase, describeOneEngine } from "../support/engines.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { buildUpload, publishReport, type Service, startService, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { startLine } from "./line.ts";
import { publishNamed } from "./two-replicas.ts";

const hostsOf = ({ baseUrl, contentUrl }: Service) => [`${baseUrl}/-/ready`, `${contentUrl}/-/ready`];

async function readinessOf(service: Service) {
  const answers = await Promise.all(hostsOf(service).map((url) => fetch(url)));
  return Promise.all(
    answers.map(async (answer) => ({
      status: answer.status,
      body: await answer.json(),
      retryAfter: answer.headers.get("retry-after"),
    })),
  );
}

const verbose = z.object({ ready: z.boolean(), parts: z.array(z.looseObject({ name: z.string() })) });

const READY = { status: 200, body: { ready: true }, retryAfter: null };
const NOT_READY = { status: 503, body: { error: "The server isn't ready." }, retryAfter: "1" };

describeOneEngine("readiness of a server", (engine) => {
  const service = useService({ engine });

  test("both hosts answer, and forbid caching", async () => {
    expect(await readinessOf(service)).toEqual([READY, READY]);
    for (const url of hostsOf(service)) {
      const { headers } = await fetch(url);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("set-cookie")).toBeNull();
    }
  });

  test("requests from this machine get the list of parts, those through a proxy from elsewhere don't", async () => {
    await publishReport(service.client((await service.build.user()).token));
    for (const url of hostsOf(service)) {
      const listed = verbose.parse(await (await fetch(`${url}?verbose`)).json());
      expect(listed.ready).toBe(true);
      const ok = { state: "ok", since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) };
      const names = ["database", "database writes", "published files", "events", "upload reader 1", "compressor"];
      const threads =
        engine === "sqlite"
          ? ["database writer", "database reader 1", "slow database reader 1"]
          : ["background database thread"];
      expect(listed.parts).toEqual(expect.arrayContaining([...names, ...threads].map((name) => ({ name, ...ok }))));
      for (const elsewhere of ["203.0.113.9", "2001:db8::1", "127.0.0.1, 203.0.113.9"]) {
        const answer = await fetch(`${url}?verbose`, { headers: { "X-Forwarded-For": elsewhere } });
        expect([answer.status, await answer.json()]).toEqual([200, { ready: true }]);
      }
    }
  });

  test("the server is not ready while its files are missing", async () => {
    const blobs = join(service.database.dataDir, "blobs");
    await rename(blobs, `${blobs}-away`);
    await until(async () => (await readinessOf(service)).every(({ status }) => status === 503) || undefined);
    expect(await readinessOf(service)).toEqual([NOT_READY, NOT_READY]);
    await rename(`${blobs}-away`, blobs);
    await until(async () => (await readinessOf(service)).every(({ status }) => status === 200) || undefined);
  });
});

describeIf("a server whose database is unreachable", postgresUnavailable(), () => {
  test("reports soon that it is not ready, and is ready again once the database is reachable", async () => {
    const database = await createTestDatabase("postgres");
    const url = new URL(database.databaseUrl ?? "");
    await using line = await startLine(Number(url.port));
    url.port = String(line.port);
    await using service = await startService({ database, environment: { VITRINE_DATABASE_URL: url.href } });
    expect(await readinessOf(service)).toEqual([READY, READY]);
    line.stall();
    await until(async () => (await readinessOf(service)).every(({ status }) => status === 503) || undefined);
    expect(await readinessOf(service)).toEqual([NOT_READY, NOT_READY]);
    line.resume();
    await until(async () => (await readinessOf(service)).every(({ status }) => status === 200) || undefined);
  });

  test("stops after its grace period on SIGTERM", async () => {
    const database = await createTestDatabase("postgres");
    const url = new URL(database.databaseUrl ?? "");
    await using line = await startLine(Number(url.port));
    url.port = String(line.port);
    await using service = await startService({
      database,
      environment: { VITRINE_DATABASE_URL: url.href, VITRINE_STOP_GRACE: "3" },
    });
    const { token } = await service.build.user();
    line.stall();
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const body = JSON.stringify(buildUpload());
    fetch(`${service.baseUrl}/api/upload`, { method: "POST", headers, body }).catch(() => undefined);
    // This response on another connection shows that the upload was read before.
    await fetch(`${service.baseUrl}/api/config`);
    expect(await service.stop()).toBe(0);
  });
});

describeIf("a server whose database stops responding during the start", postgresUnavailable(), () => {
  test("stops on SIGTERM", async () => {
    const database = await createTestDatabase("postgres");
    await (await database.openStore()).close();
    const url = new URL(database.databaseUrl ?? "");
    await using line = await startLine(Number(url.port));
    url.port = String(line.port);
    // The server uses it to ask whether to explain the first steps.
    line.stallBefore('from "users"');
    await using service = await startService({
      database,
      environment: { VITRINE_DATABASE_URL: url.href, VITRINE_STOP_GRACE: "3" },
    });
    expect(await service.stop()).toBe(0);
  });
});

describeOneEngine("stopping with a delay", (engine) => {
  test("first reports that it is not ready and goes on serving, then sends readers away", async () => {
    await using service = await startService({ engine, environment: { VITRINE_STOP_DELAY: "2" } });
    const owner = await service.build.user();
    const { code, linkAt } = await publishNamed({ first: service }, owner);
    const reader = await readLive(linkAt(service));
    const stopped = service.stop();
    await until(async () => (await readinessOf(service)).every(({ status }) => status === 503) || undefined);
    expect((await fetch(`${service.contentUrl}/${code}/`)).status).toBe(200);
    expect((await fetch(`${service.baseUrl}/api/config`)).status).toBe(200);
    expect((await reader.ended).code).toBe(1012);
    expect(await stopped).toBe(0);
  });
});
