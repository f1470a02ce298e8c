import { z } from "zod";

const attribute = z.strictObject({
  key: z.string().min(1),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  ]),
});
const nanoseconds = z.string().regex(/^\d{19}$/);
const span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.union([z.literal(2), z.literal(3)]),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: z.array(attribute),
  status: z.strictObject({ code: z.literal(2).optional() }),
});
/** `ExportTraceServiceRequest` in the JSON mapping of OTLP, as far as Vitrine uses it. */
const exportRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span).min(1),
        }),
      ),
    }),
  ),
});

export type CollectedSpan = z.output<typeof span>;

/** Starts a server that takes traces as a collector of OpenTelemetry does, and refuses all that isn't valid OTLP. */
export function startCollector() {
  const spans: CollectedSpan[] = [];
  const resources: Record<string, string>[] = [];
  const headers: Headers[] = [];
  const refused: string[] = [];
  const state = { status: 200 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      headers.push(request.headers);
      if (state.status !== 200) return new Response("", { status: state.status });
      const isJson = request.headers.get("content-type") === "application/json";
      const isTraces = request.method === "POST" && new URL(request.url).pathname === "/v1/traces";
      const parsed = exportRequest.safeParse(isJson && isTraces ? await request.json() : undefined);
      if (!parsed.success) {
        refused.push(`${request.method} ${request.url}: ${parsed.error.message}`);
        return new Response("", { status: 400 });
      }
      for (const { resource, scopeSpans } of parsed.data.resourceSpans) {
        resources.push(
          Object.fromEntries(
            resource.attributes.map(({ key, value }) => [key, "stringValue" in value ? value.stringValue : ""]),
          ),
        );
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      return Response.json({});
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    resources,
    headers,
    refused,
    state,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Returns the attributes of a span. */
export const attributesOf = ({ attributes }: CollectedSpan): Record<string, string | number> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, "stringValue" in value ? value.stringValue : Number(value.intValue)]),
  );
