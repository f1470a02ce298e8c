import { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "../../domain/model/ports.ts";

/** The place of a request in a trace (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The span that outgoing requests name as their parent, as 16 hexadecimal digits. */
  spanId: string;
  /** The span of the caller; undefined for the first of a trace. */
  parentSpanId: string | undefined;
  isSampled: boolean;
  /** What other systems pass on, unread. */
  state: string | undefined;
}

/** Decides whether to record a request. `parent` is undefined if the trace begins here. */
export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;
/** The printable characters that a header can carry, in the length that systems have to pass on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Returns the context that a request names; undefined if it names none in a valid form. */
export function readTraceContext(headers: Headers): TraceContext | undefined {
  const header = headers.get("traceparent");
  if (header === null) return undefined;
  const [, version, traceId = "", spanId = "", flags = "", rest] = TRACEPARENT.exec(header.trim()) ?? [];
  // Later versions may append fields, version 00 has exactly these.
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  const state = headers.get("tracestate") ?? "";
  return {
    traceId,
    spanId,
    parentSpanId: undefined,
    isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED,
    state: TRACESTATE.test(state) ? state : undefined,
  };
}

/** Returns the headers that pass a context on. */
export function traceHeaders(context: TraceContext | undefined): Record<string, string> {
  if (context === undefined) return {};
  const { traceId, spanId, isSampled, state } = context;
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

interface TracingDependencies {
  random: Random;
  /** Undefined if nothing is recorded; then contexts are only passed on. */
  sample?: Sampler | undefined;
}

/** Creates the record of which trace the current work belongs to. */
export function createTracing({ random, sample }: TracingDependencies) {
  const storage = new AsyncLocalStorage<TraceContext>();

  const newId = (bytes: number) => Buffer.from(random.bytes(bytes)).toString("hex");

  /** Returns the context of a request. Undefined if it belongs to no trace. */
  function begin(headers: Headers): TraceContext | undefined {
    const parent = readTraceContext(headers);
    if (sample === undefined) return parent;
    const traceId = parent?.traceId ?? newId(16);
    return {
      traceId,
      spanId: newId(8),
      parentSpanId: parent?.spanId,
      isSampled: sample(traceId, parent),
      state: parent?.state,
    };
  }

  /** Runs work as part of a trace. */
  const run = <Result>(context: TraceContext | undefined, work: () => Result): Result =>
    context === undefined ? work() : storage.run(context, work);

  return {
    begin,
    run,
    /** Returns the context of the current work. */
    current: () => storage.getStore(),
    /** Returns the headers that an outgoing request adds. */
    headers: () => traceHeaders(storage.getStore()),
    newSpanId: () => newId(8),
  };
}

export type Tracing = ReturnType<typeof createTracing>;
