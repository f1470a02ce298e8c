import type { Log } from "../log.ts";

/** A span to export. Times are milliseconds since 1970. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: keyof typeof KINDS;
  start: number;
  end: number;
  attributes: Readonly<Record<string, string | number>>;
  hasFailed: boolean;
}

export interface OtlpOptions {
  /** URL that takes traces, usually ending in `/v1/traces`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Milliseconds for one request. */
  timeout: number;
  /** Milliseconds between exports. */
  delay: number;
  /** Attributes of the service, `service.name` among them. */
  resource: Readonly<Record<string, string>>;
  version: string;
  log: Pick<Log, "warn">;
}

/** Spans that wait at most; further ones are dropped. */
const QUEUE = 2048;
/** Spans in one request. */
const BATCH = 512;
/** Milliseconds between warnings about a collector that can't be reached. */
const WARN_INTERVAL = 60_000;
const KINDS = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** Exports spans as OTLP/JSON over HTTP, in the background and never at the expense of requests. */
export function createOtlpExporter({ url, headers, timeout, delay, resource, version, log }: OtlpOptions) {
  let queue: Span[] = [];
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, delay).unref();

  function add(span: Span): void {
    if (queue.length >= QUEUE) dropped++;
    else queue.push(span);
    if (queue.length === BATCH) void flush();
  }

  /** Sends what waits. Resolves when it is sent or given up. */
  function flush(): Promise<void> {
    sending = sending.then(sendAll);
    return sending;
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH);
      queue = queue.slice(BATCH);
      try {
        await send(batch);
      } catch (error) {
        dropped += batch.length;
        warn(error);
        return;
      }
    }
  }

  async function send(spans: readonly Span[]): Promise<void> {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(encode(spans, resource, version)),
      signal: AbortSignal.timeout(timeout),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`The collector answered ${response.status}.`);
  }

  function warn(error: unknown): void {
    const now = performance.now();
    if (now - warnedAt < WARN_INTERVAL) return;
    warnedAt = now;
    log.warn({ message: "Traces couldn't be exported.", error, fields: { dropped } });
    dropped = 0;
  }

  async function stop(): Promise<void> {
    clearInterval(timer);
    await flush();
  }

  return { add, stop };
}

export type OtlpExporter = ReturnType<typeof createOtlpExporter>;

/** Returns an `ExportTraceServiceRequest` in the JSON mapping of OTLP: IDs are hexadecimal, 64-bit integers are text. */
function encode(spans: readonly Span[], resource: Readonly<Record<string, string>>, version: string) {
  return {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope: { name: "vitrine", version }, spans: spans.map(encodeSpan) }],
      },
    ],
  };
}

const encodeSpan = ({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, hasFailed }: Span) => ({
  traceId,
  spanId,
  ...(parentSpanId === undefined ? {} : { parentSpanId }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: toNanoseconds(start),
  endTimeUnixNano: toNanoseconds(end),
  attributes: encodeAttributes(attributes),
  status: hasFailed ? { code: STATUS_ERROR } : {},
});

const encodeAttributes = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(Math.round(value)) },
  }));

const toNanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1000)}000`;
