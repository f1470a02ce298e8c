import type { ObserveCall } from "../metrics/call-meter.ts";
import type { ObserveRequest } from "../requests.ts";
import type { OtlpExporter } from "./otlp.ts";
import type { Tracing } from "./trace-context.ts";

interface SpansDependencies {
  tracing: Pick<Tracing, "current" | "newSpanId">;
  exporter: Pick<OtlpExporter, "add">;
  clock: { now(): number };
}

const FIRST_SERVER_ERROR = 500;

/** Turns requests, and the calls made for them, into spans. */
export function createSpans({ tracing, exporter, clock }: SpansDependencies) {
  const observeRequest: ObserveRequest = ({ host, method, route, status, duration, requestId, trace }) => {
    if (!trace?.isSampled) return;
    const end = clock.now();
    exporter.add({
      ...trace,
      name: `${method} ${route}`,
      kind: "server",
      start: end - duration,
      end,
      attributes: {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "vitrine.host": host,
        ...(requestId === undefined ? {} : { "vitrine.request_id": requestId }),
      },
      hasFailed: status >= FIRST_SERVER_ERROR,
    });
  };

  const observeCall: ObserveCall = ({ name, duration, error }) => {
    const trace = tracing.current();
    if (!trace?.isSampled) return;
    const end = clock.now();
    exporter.add({
      traceId: trace.traceId,
      spanId: tracing.newSpanId(),
      parentSpanId: trace.spanId,
      name,
      kind: "client",
      start: end - duration,
      end,
      attributes: {},
      hasFailed: error !== undefined,
    });
  };

  return { observeRequest, observeCall };
}
