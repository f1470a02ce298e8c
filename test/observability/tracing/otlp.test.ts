import { describe, expect, test } from "bun:test";
import { createOtlpExporter, type Span } from "../../../src/observability/tracing/otlp.ts";
import { createRecordingLog } from "../../support/log.ts";
import { until } from "../../support/until.ts";
import { attributesOf, startCollector } from "./collector.ts";

const SPAN: Span = {
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
  parentSpanId: "c".repeat(16),
  name: "POST /api/upload",
  kind: "server",
  start: 1_700_000_000_000.25,
  end: 1_700_000_000_012.5,
  attributes: { "http.route": "/api/upload", "http.response.status_code": 200 },
  hasFailed: false,
};

/** With a delay so long that only `stop` and full batches export. */
function openExporter(url: string, delay = 600_000) {
  const { log, events } = createRecordingLog();
  const exporter = createOtlpExporter({
    url: `${url}/v1/traces`,
    headers: { "x-key": "k1" },
    timeout: 10_000,
    delay,
    resource: { "service.name": "vitrine", "deployment.environment": "test" },
    version: "1.2.3",
    log,
  });
  return { exporter, events };
}

describe("the export of traces", () => {
  test("sends what OTLP asks for", async () => {
    await using collector = startCollector();
    const { exporter } = openExporter(collector.url);
    exporter.add(SPAN);
    exporter.add({ ...SPAN, parentSpanId: undefined, kind: "client", hasFailed: true });
    await exporter.stop();
    expect(collector.refused).toEqual([]);
    const [first, second] = collector.spans;
    expect(first).toMatchObject({
      traceId: SPAN.traceId,
      spanId: SPAN.spanId,
      parentSpanId: "c".repeat(16),
      kind: 2,
      startTimeUnixNano: "1700000000000250000",
      endTimeUnixNano: "1700000000012500000",
      status: {},
    });
    expect(first && attributesOf(first)).toEqual({ "http.route": "/api/upload", "http.response.status_code": 200 });
    expect(second).toMatchObject({ kind: 3, status: { code: 2 } });
    expect(second).not.toHaveProperty("parentSpanId");
    expect(collector.resources).toEqual([{ "service.name": "vitrine", "deployment.environment": "test" }]);
    expect(collector.headers[0]?.get("x-key")).toBe("k1");
  });

  test("goes on in the background", async () => {
    await using collector = startCollector();
    const { exporter } = openExporter(collector.url, 10);
    exporter.add(SPAN);
    await until(() => collector.spans.length === 1);
    exporter.add(SPAN);
    await until(() => collector.spans.length === 2);
    await exporter.stop();
  });

  test("sends many spans in batches", async () => {
    await using collector = startCollector();
    const { exporter } = openExporter(collector.url);
    for (let index = 0; index < 1200; index++) exporter.add(SPAN);
    await exporter.stop();
    expect(collector.spans).toHaveLength(1200);
    expect(collector.headers.length).toBeGreaterThanOrEqual(3);
  });

  test("keeps a bounded number of spans, and warns once of a collector that refuses them", async () => {
    await using collector = startCollector();
    collector.state.status = 503;
    const { exporter, events } = openExporter(collector.url);
    for (let index = 0; index < 5000; index++) exporter.add(SPAN);
    await exporter.stop();
    await exporter.stop();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ level: "warn", message: "Traces couldn't be exported." });
    collector.state.status = 200;
    await exporter.stop();
    expect(collector.spans.length).toBeLessThanOrEqual(2048);
    expect(collector.refused).toEqual([]);
  });

  test("survives a collector that isn't there", async () => {
    const gone = startCollector();
    await gone[Symbol.asyncDispose]();
    const { exporter, events } = openExporter(gone.url);
    exporter.add(SPAN);
    await exporter.stop();
    expect(events.map(({ level }) => level)).toEqual(["warn"]);
  });
});
