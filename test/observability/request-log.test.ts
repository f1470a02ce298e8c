import { describe, expect, test } from "bun:test";
import { createLog } from "../../src/observability/create-log.ts";
import type { LogLevel } from "../../src/observability/log.ts";
import { createRequestLog, type RequestLogScope } from "../../src/observability/request-log.ts";
import type { AnsweredRequest } from "../../src/observability/requests.ts";

const REQUEST: AnsweredRequest = {
  host: "app",
  method: "POST",
  route: "/api/upload",
  status: 200,
  duration: 12.3456,
  requestId: "r1",
  userId: "usr_1",
  tokenId: "tok_1",
};

function logOf(
  requests: readonly AnsweredRequest[],
  {
    scope = "app",
    slowRequest = 0,
    level = "debug",
  }: { scope?: RequestLogScope; slowRequest?: number; level?: LogLevel },
) {
  const lines: string[] = [];
  const log = createLog({ clock: { now: () => 0 }, write: (line) => lines.push(line), level });
  const observe = createRequestLog({ log, scope, slowRequest });
  for (const request of requests) observe?.(request);
  return lines.map((line) => JSON.parse(line));
}

describe("the request log", () => {
  test("says who requested which route, and what came of it", () => {
    const trace = {
      traceId: "a".repeat(32),
      spanId: "b".repeat(16),
      parentSpanId: undefined,
      isSampled: true,
      state: "",
    };
    expect(logOf([{ ...REQUEST, trace }], {})).toEqual([
      {
        time: "1970-01-01T00:00:00.000Z",
        level: "info",
        message: "request",
        requestId: "r1",
        trace_id: trace.traceId,
        host: "app",
        method: "POST",
        route: "/api/upload",
        status: 200,
        durationMs: 12.35,
        userId: "usr_1",
        tokenId: "tok_1",
      },
    ]);
  });

  const content: AnsweredRequest = {
    host: "content",
    method: "GET",
    route: "/{code}/{file}",
    status: 200,
    duration: 1,
  };

  test.each([
    ["off", []],
    ["app", ["app"]],
    ["all", ["app", "content"]],
  ] as const)("%s lists the requests to these hosts: %j", (scope, hosts) => {
    expect(logOf([REQUEST, content], { scope }).map(({ host }) => host)).toEqual([...hosts]);
  });

  test.each(["/-/live", "/-/ready", "/-/metrics", "/-/assets/{name}", "/favicon.ico"])(
    "lists %s at level debug, because it is requested all the time",
    (route) => {
      expect(logOf([{ ...REQUEST, route }], {})).toMatchObject([{ level: "debug", route }]);
      expect(logOf([{ ...REQUEST, route }], { level: "info" })).toEqual([]);
    },
  );

  test("warns about a slow request to any host, once, even if it lists none", () => {
    const slow = { ...content, duration: 500 };
    for (const scope of ["off", "app", "all"] as const) {
      expect(logOf([{ ...slow, duration: 499 }, slow], { scope, slowRequest: 500, level: "warn" })).toMatchObject([
        { level: "warn", message: "A request was slow.", route: "/{code}/{file}", durationMs: 500 },
      ]);
    }
  });

  test("is not there if it would never log", () => {
    const log = createLog({ clock: { now: () => 0 }, write: () => undefined });
    expect(createRequestLog({ log, scope: "off", slowRequest: 0 })).toBeUndefined();
  });
});
