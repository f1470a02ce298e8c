import packageJson from "../../package.json";
import { createLog, type ServerLog } from "../observability/create-log.ts";
import { createLogWriter } from "../observability/log-writer.ts";
import { type ObserveCall, observeCallsWithAll } from "../observability/metrics/call-meter.ts";
import { createRequestLog } from "../observability/request-log.ts";
import { observeWithAll } from "../observability/requests.ts";
import { createSampler } from "../observability/tracing/sampler.ts";
import { createTracing, type Tracing } from "../observability/tracing/trace-context.ts";
import type { LogSettings, Settings } from "../settings/settings.ts";
import { clock, random } from "./ports.ts";

/** Creates the server's log, counters and traces. What the settings leave off is neither loaded nor called. */
export async function createObservability({ log: logged, metrics, tracing: exported }: Settings) {
  const sample = exported && createSampler(exported.sampler, exported.ratio);
  const tracing = createTracing({ random, sample });
  const { log, flush } = openLog(logged, () => tracing.current()?.traceId);
  const isMeasured = metrics.port !== undefined || metrics.token !== undefined;
  const meters = isMeasured ? (await import("../observability/metrics/meters.ts")).createMeters() : undefined;
  const { spans, exporter } = exported === undefined ? NO_EXPORT : await startExport(exported, { tracing, log });
  const requestLog = createRequestLog({ log, scope: logged.requests, slowRequest: logged.slowRequest });
  return {
    log,
    tracing,
    meters,
    /** Receives requests to the application host. */
    observeAppRequest: observeWithAll([meters?.requests.observe, requestLog, spans?.observeRequest]),
    /** How requests to the content host are observed; its handler counts them itself. */
    contentObservers: {
      meter: meters?.requests,
      observe: observeWithAll([requestLog, spans?.observeRequest]),
      isForAll: logged.requests === "all" || spans !== undefined,
      tracing,
    },
    observeDatabase: observeCallsWithAll([meters?.database, slowQueryLog(log, logged.slowQuery), spans?.observeCall]),
    observeBlobs: observeCallsWithAll([meters?.blobs, spans?.observeCall]),
    async stop() {
      await exporter?.stop();
      flush();
    },
  };
}

export type Observability = Awaited<ReturnType<typeof createObservability>>;

const NO_EXPORT = { spans: undefined, exporter: undefined };

async function startExport(
  settings: NonNullable<Settings["tracing"]>,
  { tracing, log }: { tracing: Tracing; log: ServerLog },
) {
  const [{ createOtlpExporter }, { createSpans }] = await Promise.all([
    import("../observability/tracing/otlp.ts"),
    import("../observability/tracing/spans.ts"),
  ]);
  const exporter = createOtlpExporter({ ...settings, version: packageJson.version, log });
  return { exporter, spans: createSpans({ tracing, exporter, clock }) };
}

function openLog({ level, format }: LogSettings, traceId: () => string | undefined) {
  const { stderr } = process;
  const writer = createLogWriter({
    stream: stderr,
    later: setImmediate,
    dropped: (lines) =>
      log.warn({ message: "Log lines were dropped, because the reader of stderr is too slow.", fields: { lines } }),
  });
  const chosen = format === "auto" ? (stderr.isTTY ? "text" : "json") : format;
  const log = createLog({ clock, write: writer.write, level, format: chosen, traceId });
  process.once("exit", writer.flush);
  return { log, flush: writer.flush };
}

/** Returns an observer that logs calls of the database that took at least this many milliseconds. */
function slowQueryLog(log: ServerLog, slowQuery: number): ObserveCall | undefined {
  if (slowQuery === 0) return undefined;
  return ({ name, kind, duration }) => {
    if (duration < slowQuery) return;
    log.warn({
      message: "A database call was slow.",
      fields: { call: name, kind, durationMs: Math.round(duration) },
    });
  };
}
