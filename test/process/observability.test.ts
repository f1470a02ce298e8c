import { beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { searchRoute } from "../../src/contract/search/search.ts";
import { checkMetrics, readSamples } from "../observability/metrics/promtool.ts";
import { attributesOf, startCollector } from "../observability/tracing/collector.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { startProgram } from "../support/program.ts";
import { buildUpload, PASSWORD, startService, uniqueName, useService } from "../support/service.ts";
import { pageClient, post, signIn } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";

const DEPLOY = new URL("../../deploy/", import.meta.url).pathname;
const METRICS_TOKEN = "metrics-token-hunter1";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const TITLE = "Salaries of all hunter2";
const ELSEWHERE = { "X-Forwarded-For": "203.0.113.9" };

const collector = use(startCollector);
const service = use(async () => {
  const started = await startService({
    environment: {
      VITRINE_METRICS_PORT: "0",
      VITRINE_METRICS_TOKEN: METRICS_TOKEN,
      VITRINE_REQUEST_LOG: "all",
      VITRINE_LOG_LEVEL: "debug",
      VITRINE_SLOW_QUERY: "1ms",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "20",
      OTEL_SERVICE_NAME: "reports",
    },
  });
  const [, metricsUrl = ""] = /metrics +(\S+)\n/.exec(started.log()) ?? [];
  return { ...started, metricsUrl };
});

/** Metrics of servers with PostgreSQL. */
const ONLY_WITH_POSTGRES = ["vitrine_database_connections", "vitrine_database_waiting_calls"];

const bearing = (token: string) => ({ Authorization: `Bearer ${token}` });

const publish = (overrides: Parameters<typeof buildUpload>[0]) =>
  service.client(user.token).call(uploadRoute, { body: buildUpload(overrides) });

async function scrape(): Promise<string> {
  const response = await fetch(service.metricsUrl, { headers: bearing(METRICS_TOKEN) });
  expect(response.status).toBe(200);
  return response.text();
}

/** Returns the lines of the log that are JSON. */
const lines = (): Record<string, unknown>[] =>
  service
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line));

/** Everything that must not be in the log. */
const secrets: string[] = [METRICS_TOKEN, TITLE, PASSWORD, "hunter"];
let user: { slug: string; email: string; token: string };
let code: string;
let name: string;

beforeAll(async () => {
  user = await service.build.user();
  name = uniqueName("hunter");
  ({ code } = await publish({ name, title: TITLE }));
  const open = await publish({ visibility: "public" });
  for (let index = 0; index < 100; index++) await fetch(open.url);
  await fetch(`${open.url}missing.css`);
  const cookie = await signIn(service, user);
  const page = await fetch(`${service.baseUrl}/${code}/`, { headers: { Cookie: cookie } });
  const [, ticketed = ""] = /(http[^"\\]*\/~1\.[^"\\]*)/.exec(await page.text()) ?? [];
  expect((await fetch(ticketed)).status).toBe(200);
  const [ticket = ""] = new URL(ticketed).pathname.split("/").filter((part) => part.startsWith("~1."));
  for (const path of ["/-/set-up?token=hunter3", "/-/invitation?token=hunter4", "/-/sign-in?next=/hunter5"]) {
    await fetch(service.baseUrl + path, { headers: { Cookie: cookie } });
  }
  await fetch(`${service.baseUrl}/api/search?q=hunter6`, { headers: bearing(user.token) });
  await fetch(`${service.baseUrl}/${ticket}/${code}/`);
  await post(service, "/api/auth/sign-in/email", { email: user.email, password: "hunter7" });
  await fetch(`${service.baseUrl}/api/report?code=hunter8`, { headers: bearing("vtr_hunter9") });
  await pageClient(service, cookie).call(searchRoute, { query: { owner: user.slug } });
  secrets.push(user.token, ticket, ...cookie.split("=").slice(1), name);
});

describe("metrics", () => {
  test("count requests by route, publishes, and what was called for them", async () => {
    const samples = readSamples(await scrape());
    const requests = (labels: string) => samples.get(`vitrine_http_requests_total{${labels}}`);
    expect(requests('host="app",route="/api/upload",method="POST",status="200"')).toBe(2);
    expect(requests('host="content",route="/{code}/{file}",method="GET",status="200"')).toBe(100);
    expect(requests('host="content",route="/{code}/{file}",method="GET",status="404"')).toBe(1);
    expect(requests('host="content",route="/{ticket}/{code}/{file}",method="GET",status="200"')).toBe(1);
    expect(requests('host="app",route="/{code}/{file}",method="GET",status="200"')).toBe(1);
    expect(requests('host="app",route="/api/auth/sign-in/email",method="POST",status="401"')).toBe(1);
    expect(samples.get("vitrine_publishes_total")).toBe(2);
    const bytes = buildUpload().files.reduce((sum, { content }) => sum + content.length, 0);
    expect(samples.get("vitrine_published_bytes_total")).toBe(2 * bytes);
    expect(samples.get('vitrine_database_calls_total{call="publishing.publish"}')).toBe(2);
    expect(samples.get('vitrine_blob_call_duration_seconds_count{operation="put"}')).toBeGreaterThanOrEqual(2);
    expect(samples.get('vitrine_cache_hits_total{cache="files"}')).toBeGreaterThan(50);
    expect(samples.get("vitrine_ready")).toBe(1);
    expect(samples.get('vitrine_part_state{part="database",state="ok"}')).toBe(1);
    expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(samples.get("vitrine_disk_free_bytes")).toBeGreaterThan(0);
    const usage = [...samples].filter(([sample]) => sample.startsWith("vitrine_stored_bytes"));
    expect(usage).toEqual([['vitrine_stored_bytes{plan="pro"}', expect.any(Number)]]);
  });

  test("name nothing that clients make up, and no secrets", async () => {
    const text = await scrape();
    for (const secret of [...secrets, code]) expect(text).not.toContain(secret);
  });

  test("are what Prometheus accepts, in both formats", async () => {
    await checkMetrics(await scrape());
    const headers = { ...bearing(METRICS_TOKEN), Accept: "application/openmetrics-text; version=1.0.0" };
    const response = await fetch(service.metricsUrl, { headers });
    expect(response.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(await response.text()).toEndWith("# EOF\n");
  });

  test("include all that the dashboard and the alerts name", async () => {
    const { operations } = service.build.store;
    const run = { name: "backup", holder: "test" };
    await operations.claimTask({ ...run, lease: 60_000, every: 1_000, retryAfter: 1_000 });
    await operations.endTask({ ...run, outcome: { kind: "succeeded", detail: undefined } });
    const task = /^vitrine_task_last_success_timestamp_seconds\{task="backup"\}/m;
    const text = await until(async () => {
      const found = await scrape();
      return task.test(found) && found;
    });
    const exposed = new Set([...text.matchAll(/^(\w+)[{ ]/gm)].map(([, sample = ""]) => sample));
    const wanted = await Promise.all(
      ["grafana/vitrine.json", "prometheus/alerts.yaml"].map((path) => readFile(DEPLOY + path, "utf8")),
    );
    const named = wanted.flatMap((file) => file.match(/\b(?:vitrine|process)_[a-z_]+\b/g) ?? []);
    expect(named.length).toBeGreaterThan(60);
    const missing = new Set(named).difference(exposed);
    expect([...missing].toSorted()).toEqual(ONLY_WITH_POSTGRES);
  });

  test("count open sockets and the fan-out", async () => {
    const before = readSamples(await scrape());
    const own = uniqueName("open");
    await publish({ name: own, visibility: "public" });
    const url = `${service.contentUrl}/@${user.slug}/${own}/~socket`.replace("http", "ws");
    const socket = new WebSocket(url, { headers: { Origin: service.contentUrl } });
    const received: unknown[] = [];
    socket.onmessage = ({ data }) => received.push(data);
    await until(() => received.length === 1);
    expect(readSamples(await scrape()).get('vitrine_sockets{kind="live"}')).toBe(1);
    await publish({ name: own });
    await until(() => received.length === 2);
    socket.close();
    const fanOut = "vitrine_fan_out_duration_seconds_count";
    const after = await until(async () => {
      const samples = readSamples(await scrape());
      return samples.get('vitrine_sockets{kind="live"}') === 0 && samples;
    });
    expect((after.get(fanOut) ?? 0) - (before.get(fanOut) ?? 0)).toBe(1);
    const sockets =
      'vitrine_http_requests_total{host="live",route="/@{owner}/{name}/~socket",method="GET",status="101"}';
    expect(after.get(sockets)).toBe(1);
  });

  const OTHERS: Record<string, string>[] = [{}, bearing("metrics-token-hunter0"), { Cookie: `token=${METRICS_TOKEN}` }];

  test.each(OTHERS)("on their port need the token: %j", async (headers) => {
    const response = await fetch(service.metricsUrl, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: expect.stringContaining("VITRINE_METRICS_TOKEN") });
  });

  test("on the application host are served with the token", async () => {
    const response = await fetch(`${service.baseUrl}/-/metrics`, { headers: bearing(METRICS_TOKEN) });
    expect(response.status).toBe(200);
    expect(readSamples(await response.text()).get("vitrine_publishes_total")).toBeGreaterThanOrEqual(2);
  });
});

describeIf("metrics with PostgreSQL", postgresUnavailable(), () => {
  const CONNECTIONS = 2;
  const crowded = use(async () => {
    const environment = { VITRINE_METRICS_TOKEN: METRICS_TOKEN, VITRINE_DATABASE_CONNECTIONS: String(CONNECTIONS) };
    return startService({ engine: "postgres", environment });
  });

  async function scrapeCrowded() {
    const response = await fetch(`${crowded.baseUrl}/-/metrics`, { headers: bearing(METRICS_TOKEN) });
    return readSamples(await response.text());
  }

  test("count connections, and the calls that wait for one", async () => {
    const { token, slug } = await crowded.build.user();
    const waiting = async () => (await scrapeCrowded()).get("vitrine_database_waiting_calls");
    let isOver = false;
    const clients = Array.from({ length: 20 * CONNECTIONS }, async () => {
      while (!isOver) await crowded.client(token).call(searchRoute, { query: { owner: slug } });
    });
    await until(async () => ((await waiting()) ?? 0) > 0);
    isOver = true;
    await Promise.all(clients);
    await until(async () => (await waiting()) === 0);
    const samples = await scrapeCrowded();
    const count = (state: string) => samples.get(`vitrine_database_connections{state="${state}"}`) ?? Number.NaN;
    expect(count("busy") + count("idle")).toBe(CONNECTIONS);
  });
});

/** Returns what a client can see of an answer. */
async function answerTo(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers, redirect: "manual" });
  const all = Object.fromEntries(response.headers);
  // These differ between any two requests, or repeat the path.
  for (const header of ["x-request-id", "date", "content-security-policy"]) delete all[header];
  const body = (await response.text()).replaceAll(/nonce="[^"]*"/g, "").replaceAll(/metri\w+/g, "");
  return { status: response.status, headers: { ...all, location: all.location?.replaceAll(/metri\w+/g, "") }, body };
}

const CLIENTS: Record<string, string>[] = [
  {},
  bearing("metrics-token-hunter0"),
  { Authorization: "Basic bWV0cmljcw==" },
  { Accept: "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
];

/** A server without metrics, which logs no requests. */
const quiet = useService({
  environment: { VITRINE_REQUEST_LOG: "off", VITRINE_LOG_FORMAT: "text", VITRINE_SLOW_QUERY: "1ms" },
});

describe("without the token, metrics are answered like any unknown path", () => {
  test.each(CLIENTS)("on the application host: %j", async (headers) => {
    for (const { baseUrl } of [service, quiet]) {
      const [metrics, unknown] = await Promise.all(
        ["/-/metrics", "/-/metrizs"].map((path) => answerTo(baseUrl + path, headers)),
      );
      expect(metrics).toEqual(unknown);
      expect(metrics?.body).not.toContain("vitrine_");
    }
  });

  test.each([...CLIENTS, bearing(METRICS_TOKEN)])("on the content host: %j", async (headers) => {
    for (const { contentUrl } of [service, quiet]) {
      const metrics = await answerTo(`${contentUrl}/-/metrics`, headers);
      expect(metrics).toEqual(await answerTo(`${contentUrl}/-/metrizs`, headers));
      expect(metrics.status).toBe(404);
    }
  });

  test("a server without settings for them announces no port", () => {
    expect(quiet.log()).not.toMatch(/metrics/);
  });
});

describe("the log", () => {
  test("says of each request who sent it and what came of it", async () => {
    const found = await until(() => lines().find(({ route }) => route === "/api/upload"));
    expect(found).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      level: "info",
      message: "request",
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      requestId: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
      host: "app",
      method: "POST",
      route: "/api/upload",
      status: 200,
      durationMs: expect.any(Number),
      userId: expect.any(String),
      tokenId: expect.any(String),
    });
    const bySession = await until(() => lines().find(({ route, userId }) => route === "/api/search" && userId));
    expect(bySession.userId).toBe(found.userId);
  });

  test("names the requested version of files", async () => {
    const found = await until(() => lines().find(({ route }) => route === "/{ticket}/{code}/{file}"));
    expect(found).toMatchObject({ host: "content", code, status: 200 });
  });

  test("warns about slow calls of the database", async () => {
    const found = await until(() => lines().find(({ message }) => message === "A database call was slow."));
    expect(found).toMatchObject({
      level: "warn",
      call: expect.stringMatching(/^\w+\.\w+$/),
      durationMs: expect.any(Number),
    });
  });

  test("has no secrets, and nothing of what private reports hold", async () => {
    await until(() => lines().some(({ route }) => route === "/api/report"));
    for (const secret of secrets) expect(service.log()).not.toContain(secret);
  });

  test("goes to a terminal as text, and can be silent", async () => {
    const someone = await quiet.build.user();
    await quiet.client(someone.token).call(uploadRoute, { body: buildUpload() });
    await until(() => /^[\d-]+ [\d:.]+ WARN {2}A database call was slow\. {2}call=/m.test(quiet.log()));
    expect(quiet.log()).not.toContain("route=");
  });
});

describe("traces", () => {
  test("of a request go on from the caller's, down to the calls made for it", async () => {
    const response = await fetch(`${service.baseUrl}/api/upload`, {
      method: "POST",
      headers: { ...bearing(user.token), traceparent: TRACEPARENT, "Content-Type": "application/json" },
      body: JSON.stringify(buildUpload({ name: uniqueName("hunter") })),
    });
    expect(response.status).toBe(200);
    const requestId = response.headers.get("x-request-id");
    const own = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
    const server = await until(() => own().find(({ kind }) => kind === 2));
    expect(server).toMatchObject({ name: "POST /api/upload", parentSpanId: PARENT, status: {} });
    expect(attributesOf(server)).toEqual({
      "http.request.method": "POST",
      "http.route": "/api/upload",
      "http.response.status_code": 200,
      "vitrine.host": "app",
      "vitrine.request_id": requestId ?? "",
    });
    const calls = own().filter(({ kind }) => kind === 3);
    expect(calls.map((call) => call.name)).toEqual(expect.arrayContaining(["blobs.put", "publishing.publish"]));
    expect(new Set(calls.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([server.spanId]));
    expect(await until(() => lines().find((line) => line.requestId === requestId))).toMatchObject({ trace_id: TRACE });
  });

  test("of the content host are exported as well, all in valid form and without secrets", async () => {
    await until(() => collector.spans.some((span) => span.name === "GET /{ticket}/{code}/{file}"));
    expect(collector.refused).toEqual([]);
    expect(new Set(collector.resources.map((resource) => resource["service.name"]))).toEqual(new Set(["reports"]));
    const exported = JSON.stringify(collector.spans);
    for (const secret of secrets) expect(exported).not.toContain(secret);
  });

  test("that the caller does not record are not exported", async () => {
    const trace = "1".repeat(32);
    const traceparent = `00-${trace}-${PARENT}-00`;
    await fetch(`${service.baseUrl}/api/search`, { headers: { ...bearing(user.token), traceparent } });
    await until(() => lines().find((line) => line.trace_id === trace));
    // Later spans arrive, so this one would have.
    const count = collector.spans.length;
    await fetch(`${service.baseUrl}/-/live`);
    await until(() => collector.spans.length > count);
    expect(collector.spans.filter(({ traceId }) => traceId === trace)).toEqual([]);
  });
});

describe("health", () => {
  const paths = () => [service.baseUrl, service.contentUrl, new URL(service.metricsUrl).origin];

  test("/-/live answers on every host", async () => {
    for (const origin of paths()) {
      const response = await fetch(`${origin}/-/live`);
      expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: { live: true } });
    }
  });

  test("/-/ready?verbose lists the parts for this machine and the metrics token alone", async () => {
    for (const origin of paths()) {
      const ask = async (headers: Record<string, string>) =>
        (await fetch(`${origin}/-/ready?verbose`, { headers })).json();
      const listed = {
        ready: true,
        parts: expect.arrayContaining([{ name: "database", state: "ok", since: expect.stringMatching(/^20.*Z$/) }]),
      };
      expect(await ask({})).toEqual(listed);
      expect(await ask({ ...ELSEWHERE, ...bearing(METRICS_TOKEN) })).toEqual(listed);
      expect(await ask(ELSEWHERE)).toEqual({ ready: true });
      expect(await ask({ ...ELSEWHERE, ...bearing(user.token) })).toEqual({ ready: true });
    }
  });
});

test("a metrics port that is in use is one line that names the setting", async () => {
  const { port } = new URL(service.metricsUrl);
  const starting = startProgram({
    VITRINE_DATA_DIR: `${service.database.dataDir}-other`,
    VITRINE_PORT: "0",
    VITRINE_CONTENT_PORT: "0",
    VITRINE_METRICS_PORT: port,
  });
  await expect(starting).rejects.toThrow(
    `exit code 2: vitrine: Port ${port} is already in use (VITRINE_METRICS_PORT).`,
  );
});
