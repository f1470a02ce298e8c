import { describe, expect, test } from "bun:test";
import { notFound, storageFull, unavailable } from "../../../src/domain/model/failure.ts";
import { exposeMetrics, type Family } from "../../../src/observability/metrics/exposition.ts";
import { createHistogram } from "../../../src/observability/metrics/histogram.ts";
import { createMeters } from "../../../src/observability/metrics/meters.ts";
import { checkMetrics } from "./promtool.ts";

const sizes = createHistogram([0.5, 1]);
for (const [value, times] of [
  [0.5, 1],
  [0.75, 2],
  [7, 1],
] as const)
  sizes.observe(value, times);

const FAMILIES: readonly Family[] = [
  {
    name: "vitrine_requests",
    help: 'All "requests",\nfrom C:\\',
    type: "counter",
    collect: () => [{ labels: { route: 'a"b\\c\nd', status: "200" }, value: 3 }, { value: 0.5 }],
  },
  {
    name: "vitrine_memory_bytes",
    help: "Memory.",
    type: "gauge",
    unit: "bytes",
    collect: async () => [{ value: Number.POSITIVE_INFINITY }],
  },
  {
    name: "vitrine_time_seconds",
    help: "Time.",
    type: "histogram",
    unit: "seconds",
    collect: () => [{ labels: { host: "app" }, histogram: sizes }],
  },
];

const HISTOGRAM = `vitrine_time_seconds_bucket{host="app",le="0.5"} 1
vitrine_time_seconds_bucket{host="app",le="1.0"} 3
vitrine_time_seconds_bucket{host="app",le="+Inf"} 4
vitrine_time_seconds_sum{host="app"} 9
vitrine_time_seconds_count{host="app"} 4
`;

describe("metrics as text", () => {
  test("in Prometheus's format", async () => {
    const { text, contentType } = await exposeMetrics(FAMILIES, "text/plain");
    expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(text).toBe(`# HELP vitrine_requests_total All "requests",\\nfrom C:\\\\
# TYPE vitrine_requests_total counter
vitrine_requests_total{route="a\\"b\\\\c\\nd",status="200"} 3
vitrine_requests_total 0.5
# HELP vitrine_memory_bytes Memory.
# TYPE vitrine_memory_bytes gauge
vitrine_memory_bytes +Inf
# HELP vitrine_time_seconds Time.
# TYPE vitrine_time_seconds histogram
${HISTOGRAM}`);
  });

  test("in the format of OpenMetrics, if the client accepts it", async () => {
    const accept = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    const { text, contentType } = await exposeMetrics(FAMILIES, accept);
    expect(contentType).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(text).toContain("# TYPE vitrine_requests counter\nvitrine_requests_total{");
    expect(text).toContain("# UNIT vitrine_time_seconds seconds\n");
    expect(text).toEndWith(`${HISTOGRAM}# EOF\n`);
  });

  test("leave out what can't be collected now", async () => {
    const broken: Family = {
      name: "vitrine_broken",
      help: "Broken.",
      type: "gauge",
      collect: () => Promise.reject(new Error("The database is gone.")),
    };
    const empty: Family = { name: "vitrine_empty", help: "Empty.", type: "gauge", collect: () => [] };
    const { text } = await exposeMetrics([broken, empty, ...FAMILIES], null);
    expect(text).toStartWith("# HELP vitrine_requests_total");
  });
});

describe("the meters", () => {
  const find = async (families: readonly Family[], name: string) =>
    (await exposeMetrics(families, null)).text.split("\n").filter((line) => line.startsWith(name));

  test("count what happens", async () => {
    const meters = createMeters();
    const sockets = meters.countSockets("live", { open: () => undefined, close: () => undefined });
    for (let index = 0; index < 3; index++) sockets.open(undefined);
    sockets.close(undefined);
    meters.notePublish(100);
    meters.notePublish(20);
    meters.noteFanOut(12);
    meters.database({ name: "reports.list", kind: "read", duration: 4 });
    meters.database({ name: "reports.list", kind: "read", duration: 6, error: new Error("broken") });
    meters.blobs({ name: "blobs.put", kind: "put", duration: 2, error: storageFull() });
    const text = (await exposeMetrics(meters.families, null)).text;
    for (const line of [
      'vitrine_sockets{kind="live"} 2',
      'vitrine_sockets{kind="portal"} 0',
      "vitrine_publishes_total 2",
      "vitrine_published_bytes_total 120",
      "vitrine_fan_out_duration_seconds_count 1",
      'vitrine_database_errors_total{kind="read"} 1',
      'vitrine_database_calls_total{call="reports.list"} 2',
      'vitrine_database_call_seconds_total{call="reports.list"} 0.01',
      'vitrine_blob_errors_total{operation="put"} 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    await checkMetrics(text);
  });

  test("count a call that was refused as no error of the database", async () => {
    const meters = createMeters();
    const call = { name: "reports.find", kind: "read", duration: 1 };
    meters.database({ ...call, error: notFound("There is no such report.") });
    expect(await find(meters.families, "vitrine_database_errors_total")).toEqual([
      'vitrine_database_errors_total{kind="read"} 0',
    ]);
    meters.database({ ...call, error: unavailable("The database can't be reached.") });
    expect(await find(meters.families, "vitrine_database_errors_total")).toEqual([
      'vitrine_database_errors_total{kind="read"} 1',
    ]);
  });

  test("count requests by route, and methods that nobody uses as one", async () => {
    const { requests } = createMeters();
    const request = { host: "app", route: "/api/upload", duration: 3 } as const;
    requests.observe({ ...request, method: "POST", status: 200 });
    requests.observe({ ...request, method: "POST", status: 507 });
    for (const method of ["BREW", "PROPFIND"]) requests.observe({ ...request, method, status: 405 });
    expect(await find(requests.families, "vitrine_http_requests_total")).toEqual([
      'vitrine_http_requests_total{host="app",route="/api/upload",method="POST",status="200"} 1',
      'vitrine_http_requests_total{host="app",route="/api/upload",method="POST",status="507"} 1',
      'vitrine_http_requests_total{host="app",route="/api/upload",method="other",status="405"} 2',
    ]);
    const counts = await find(requests.families, "vitrine_http_request_duration_seconds_count");
    expect(counts.map((line) => line.split(" ").at(-1))).toEqual(["2", "2"]);
  });

  test("count the runs of background tasks", async () => {
    const meters = createMeters();
    let isBroken = false;
    const [task] = meters.countTasks([
      {
        name: "sweep",
        every: 1,
        async run(signal: AbortSignal) {
          signal.throwIfAborted();
          if (isBroken) throw new Error("broken");
          return "Done.";
        },
      },
    ]);
    expect(task?.every).toBe(1);
    expect(await task?.run(AbortSignal.timeout(60_000))).toBe("Done.");
    isBroken = true;
    await expect(task?.run(AbortSignal.timeout(60_000))).rejects.toThrow("broken");
    await expect(task?.run(AbortSignal.abort())).rejects.toThrow();
    expect(await find(meters.families, "vitrine_task_runs_total")).toEqual([
      'vitrine_task_runs_total{task="sweep",outcome="succeeded"} 1',
      'vitrine_task_runs_total{task="sweep",outcome="failed"} 1',
    ]);
    expect(await find(meters.families, "vitrine_task_duration_seconds_count")).toEqual([
      'vitrine_task_duration_seconds_count{task="sweep"} 3',
    ]);
  });
});
