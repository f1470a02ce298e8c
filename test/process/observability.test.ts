import { describe, expect, test } from "bun:test";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { attributesOf } from "../observability/tracing/collector.ts";
import { bearer } from "../support/content.ts";
import { logged } from "../support/log.ts";
import { startProgram } from "../support/program.ts";
import { buildUpload, uniqueName } from "../support/service.ts";
import { until } from "../support/until.ts";
import { createObservabilityScene, METRICS_TOKEN, useQuietService } from "./observability-scene.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const ELSEWHERE = { "X-Forwarded-For": "203.0.113.9" };

const { collector, service, user, traffic } = createObservabilityScene();
const quiet = useQuietService();

/** Returns the lines of the log that are JSON. */
const lines = (): Record<string, unknown>[] =>
  service
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line));

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
    expect(found).toMatchObject({ host: "content", code: traffic.code, status: 200 });
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
    for (const secret of traffic.secrets) expect(service.log()).not.toContain(secret);
  });

  test("goes to a terminal as text, and can be silent", async () => {
    const someone = await quiet.build.user();
    await quiet.client(someone.token).call(uploadRoute, { body: buildUpload() });
    await logged(quiet, /^[\d-]+ [\d:.]+ WARN {2}A database call was slow\. {2}call=/m);
    expect(quiet.log()).not.toContain("route=");
  });
});

describe("traces", () => {
  test("of a request go on from the caller's, down to the calls made for it", async () => {
    const response = await fetch(`${service.baseUrl}/api/upload`, {
      method: "POST",
      headers: { ...bearer(user.token), traceparent: TRACEPARENT, "Content-Type": "application/json" },
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
    for (const secret of traffic.secrets) expect(exported).not.toContain(secret);
  });

  test("that the caller does not record are not exported", async () => {
    const trace = "1".repeat(32);
    const traceparent = `00-${trace}-${PARENT}-00`;
    await fetch(`${service.baseUrl}/api/search`, { headers: { ...bearer(user.token), traceparent } });
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
      expect(await ask({ ...ELSEWHERE, ...bearer(METRICS_TOKEN) })).toEqual(listed);
      expect(await ask(ELSEWHERE)).toEqual({ ready: true });
      expect(await ask({ ...ELSEWHERE, ...bearer(user.token) })).toEqual({ ready: true });
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
