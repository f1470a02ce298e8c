import type { Environment } from "./s3.ts";
import { SettingError } from "./setting-error.ts";

export interface TracingSettings {
  /** URL that takes traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  /** Milliseconds between exports. */
  readonly delay: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The share of traces to record. */
  readonly ratio: number;
}

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
const DEFAULT_ENDPOINT = "http://localhost:4318";
const PATH = "/v1/traces";

/**
 * Reads the export of traces from OpenTelemetry's standard variables. Returns undefined unless they name an endpoint or
 * the exporter `otlp`. Throws `SettingError`.
 */
export function readTracing(environment: Environment): TracingSettings | undefined {
  const read = (name: string) => environment[name]?.trim() || undefined;
  /** Returns the variable for traces, else the one for all signals. */
  const readEither = (name: string) => {
    const own = `OTEL_EXPORTER_OTLP_TRACES_${name}`;
    const shared = `OTEL_EXPORTER_OTLP_${name}`;
    return read(own) === undefined ? ([shared, read(shared)] as const) : ([own, read(own)] as const);
  };
  const exporter = read("OTEL_TRACES_EXPORTER");
  if (exporter !== undefined && exporter !== "otlp" && exporter !== "none") {
    throw new SettingError(`OTEL_TRACES_EXPORTER must be otlp or none, not "${exporter}".`);
  }
  const [endpointName, endpoint] = readEither("ENDPOINT");
  const isOff = exporter === "none" || read("OTEL_SDK_DISABLED")?.toLowerCase() === "true";
  if (isOff || (endpoint === undefined && exporter === undefined)) return undefined;
  checkProtocol(...readEither("PROTOCOL"));
  const service = read("OTEL_SERVICE_NAME");
  return Object.freeze({
    url: urlOf(endpointName, endpoint ?? DEFAULT_ENDPOINT),
    headers: readPairs(...readEither("HEADERS")),
    timeout: readNumber(...readEither("TIMEOUT"), 10_000),
    delay: readNumber("OTEL_BSP_SCHEDULE_DELAY", read("OTEL_BSP_SCHEDULE_DELAY"), 5_000),
    resource: Object.freeze({
      "service.name": "vitrine",
      ...readPairs("OTEL_RESOURCE_ATTRIBUTES", read("OTEL_RESOURCE_ATTRIBUTES")),
      ...(service === undefined ? {} : { "service.name": service }),
    }),
    ...readSampler(read("OTEL_TRACES_SAMPLER"), read("OTEL_TRACES_SAMPLER_ARG")),
  });
}

function checkProtocol(name: string, value: string | undefined): void {
  // Collectors take JSON where they take http/protobuf.
  if (value === undefined || value === "http/json" || value === "http/protobuf") return;
  throw new SettingError(`${name} must be http/json or http/protobuf, not "${value}".`);
}

/** Returns the URL for traces: a shared endpoint is only its beginning. */
function urlOf(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "") {
    throw new SettingError(`${name} must be an address such as http://localhost:4318, without credentials.`);
  }
  return name.includes("TRACES") ? url.href : `${url.href.replace(/\/$/, "")}${PATH}`;
}

/** Reads `key=value,…` with percent-encoded values. The error does not quote it, because headers are secrets. */
function readPairs(name: string, value = ""): Readonly<Record<string, string>> {
  const pairs = value.split(",").filter((pair) => pair.trim() !== "");
  const entries = pairs.map((pair) => {
    const [, key = "", text = ""] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    try {
      if (key.trim() !== "") return [key.trim(), decodeURIComponent(text.trim())];
    } catch {
      // The next line says what is wrong.
    }
    throw new SettingError(`${name} must have the form key=value,key=value.`);
  });
  return Object.freeze(Object.fromEntries(entries));
}

function readNumber(name: string, value: string | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(value) || Number(value) === 0) {
    throw new SettingError(`${name} must be a number of milliseconds, not "${value}".`);
  }
  return Number(value);
}

function readSampler(name = "parentbased_always_on", argument = "1"): Pick<TracingSettings, "sampler" | "ratio"> {
  const sampler = SAMPLERS.find((known) => known === name);
  if (sampler === undefined) {
    throw new SettingError(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(", ")}, not "${name}".`);
  }
  const ratio = Number(argument);
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new SettingError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${argument}".`);
  }
  return { sampler, ratio };
}
