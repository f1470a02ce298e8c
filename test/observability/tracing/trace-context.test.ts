import { describe, expect, test } from "bun:test";
import { createSampler } from "../../../src/observability/tracing/sampler.ts";
import { createTracing, readTraceContext, traceHeaders } from "../../../src/observability/tracing/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const HEADER = `00-${TRACE}-${SPAN}-01`;
const random = { bytes: (length: number) => new Uint8Array(length).fill(0xab) };
const read = (traceparent: string, more: Record<string, string> = {}) =>
  readTraceContext(new Headers({ traceparent, ...more }));

describe("traceparent", () => {
  test("is read and passed on", () => {
    const context = read(HEADER, { tracestate: "vendor=1,other=2" });
    expect(context).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      parentSpanId: undefined,
      isSampled: true,
      state: "vendor=1,other=2",
    });
    expect(traceHeaders(context)).toEqual({ traceparent: HEADER, tracestate: "vendor=1,other=2" });
  });

  test("of a trace that isn't recorded says so", () => {
    expect(traceHeaders(read(`00-${TRACE}-${SPAN}-00`))).toEqual({ traceparent: `00-${TRACE}-${SPAN}-00` });
  });

  test("of a later version may have more fields and flags", () => {
    expect(read(`cc-${TRACE}-${SPAN}-09-more`)).toMatchObject({ traceId: TRACE, isSampled: true });
  });

  test.each([
    "",
    TRACE,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}x-${SPAN}-01`,
  ])("in another form is ignored: %s", (header) => {
    expect(read(header)).toBeUndefined();
  });

  test("passes on no tracestate that is too long", () => {
    expect(traceHeaders(read(HEADER, { tracestate: "v=".padEnd(513, "x") }))).toEqual({ traceparent: HEADER });
  });
});

describe("tracing", () => {
  test("without an export only passes on what a request brings", () => {
    const tracing = createTracing({ random });
    expect(tracing.begin(new Headers())).toBeUndefined();
    expect(tracing.run(tracing.begin(new Headers({ traceparent: HEADER })), tracing.headers)).toEqual({
      traceparent: HEADER,
    });
  });

  test("with an export makes a span of each request, which outgoing requests name", () => {
    const tracing = createTracing({ random, sample: () => true });
    const context = tracing.begin(new Headers({ traceparent: HEADER }));
    expect(context).toMatchObject({ traceId: TRACE, spanId: "ab".repeat(8), parentSpanId: SPAN });
    expect(tracing.run(context, tracing.headers)).toEqual({ traceparent: `00-${TRACE}-${"ab".repeat(8)}-01` });
    expect(tracing.begin(new Headers())).toMatchObject({ traceId: "ab".repeat(16), parentSpanId: undefined });
  });

  test("keeps the traces of concurrent work apart", async () => {
    const tracing = createTracing({ random });
    const headerOf = (digit: string) => `00-${digit.repeat(32)}-${SPAN}-01`;
    const found = await Promise.all(
      ["1", "2", "3"].map((digit) =>
        tracing.run(tracing.begin(new Headers({ traceparent: headerOf(digit) })), async () => {
          await Promise.resolve();
          return tracing.current()?.traceId[0];
        }),
      ),
    );
    expect(found).toEqual(["1", "2", "3"]);
    expect(tracing.current()).toBeUndefined();
    expect(tracing.headers()).toEqual({});
  });
});

describe("sampling", () => {
  const sampled = read(HEADER);
  const unsampled = read(`00-${TRACE}-${SPAN}-00`);

  test.each([
    ["always_on", true, true, true],
    ["always_off", false, false, false],
    ["parentbased_always_on", true, true, false],
    ["parentbased_always_off", false, true, false],
  ] as const)("%s", (name, alone, below, belowUnsampled) => {
    const sample = createSampler(name, 1);
    expect([sample(TRACE, undefined), sample(TRACE, sampled), sample(TRACE, unsampled)]).toEqual([
      alone,
      below,
      belowUnsampled,
    ]);
  });

  test("by ratio takes that share of traces, the same on all servers", () => {
    const sample = createSampler("traceidratio", 0.25);
    const ids = Array.from({ length: 1000 }, () => crypto.randomUUID().replaceAll("-", ""));
    const taken = ids.filter((id) => sample(id, sampled));
    expect(taken.length).toBeGreaterThan(150);
    expect(taken.length).toBeLessThan(350);
    expect(ids.filter((id) => createSampler("parentbased_traceidratio", 0.25)(id, undefined))).toEqual(taken);
    expect(ids.some((id) => createSampler("traceidratio", 0)(id, undefined))).toBe(false);
    expect(ids.every((id) => createSampler("traceidratio", 1)(id, undefined))).toBe(true);
  });
});
