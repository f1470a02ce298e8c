import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { searchRoute } from "../../src/contract/search/search.ts";
import { checkMetrics, readSamples } from "../observability/metrics/promtool.ts";
import { bearer } from "../support/content.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { buildUpload, startService, uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { createObservabilityScene, METRICS_TOKEN, useQuietService } from "./observability-scene.ts";

const DEPLOY = new URL("../../deploy/", import.meta.url).pathname;

const { service, user, publish, traffic } = createObservabilityScene();
const quiet = useQuietService();

/** Metrics of servers with PostgreSQL. */
const ONLY_WITH_POSTGRES = ["vitrine_database_connections", "vitrine_database_waiting_calls"];

async function scrape(): Promise<string> {
  const response = await fetch(service.metricsUrl, { headers: bearer(METRICS_TOKEN) });
  expect(response.status).toBe(200);
  return response.text();
}

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
    for (const secret of [...traffic.secrets, traffic.code]) expect(text).not.toContain(secret);
  });

  test("are what Prometheus accepts, in both formats", async () => {
    await checkMetrics(await scrape());
    const headers = { ...bearer(METRICS_TOKEN), Accept: "application/openmetrics-text; version=1.0.0" };
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

  const OTHERS: Record<string, string>[] = [{}, bearer("metrics-token-hunter0"), { Cookie: `token=${METRICS_TOKEN}` }];

  test.each(OTHERS)("on their port need the token: %j", async (headers) => {
    const response = await fetch(service.metricsUrl, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: expect.stringContaining("VITRINE_METRICS_TOKEN") });
  });

  test("on the application host are served with the token", async () => {
    const response = await fetch(`${service.baseUrl}/-/metrics`, { headers: bearer(METRICS_TOKEN) });
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
    const response = await fetch(`${crowded.baseUrl}/-/metrics`, { headers: bearer(METRICS_TOKEN) });
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
  bearer("metrics-token-hunter0"),
  { Authorization: "Basic bWV0cmljcw==" },
  { Accept: "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
];

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

  test.each([...CLIENTS, bearer(METRICS_TOKEN)])("on the content host: %j", async (headers) => {
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
