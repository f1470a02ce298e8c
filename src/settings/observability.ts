import { isIP } from "node:net";
import { SettingError } from "./setting-error.ts";
import { SETTINGS, type SettingName } from "./table.ts";
import { readDuration, readInteger } from "./values.ts";

export interface MetricsSettings {
  /** Undefined: no separate port. */
  readonly port: number | undefined;
  /** Addresses that this port binds. */
  readonly hosts: readonly string[];
  /** Undefined: not on the application host. */
  readonly token: string | undefined;
}

export interface LogSettings {
  readonly level: (typeof LEVELS)[number];
  /** `auto`: text on a terminal, otherwise JSON. */
  readonly format: (typeof FORMATS)[number];
  readonly requests: (typeof REQUESTS)[number];
  /** Milliseconds from which a request is slow; 0 means never. */
  readonly slowRequest: number;
  /** Milliseconds from which a call of the database is slow; 0 means never. */
  readonly slowQuery: number;
}

type Read = (name: SettingName) => string | undefined;

const LEVELS = ["debug", "info", "warn", "error"] as const;
const FORMATS = ["auto", "json", "text"] as const;
const REQUESTS = ["off", "app", "all"] as const;
const TOKEN_CHARACTERS = 16;

/** Reads where metrics are served. Throws `SettingError`. */
export function readMetrics(read: Read): MetricsSettings {
  const port = read("VITRINE_METRICS_PORT");
  return Object.freeze({
    port: port === undefined ? undefined : readInteger("VITRINE_METRICS_PORT", port, 65_535),
    hosts: readHosts("VITRINE_METRICS_HOST", read("VITRINE_METRICS_HOST")),
    token: readToken(read("VITRINE_METRICS_TOKEN")),
  });
}

/** Reads what is logged and how. Throws `SettingError`. */
export function readLog(read: Read): LogSettings {
  const choice = <Value extends string>(name: SettingName, values: readonly Value[]): Value => {
    const text = read(name) ?? SETTINGS[name].default;
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new SettingError(`${name} must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}, not "${text}".`);
  };
  return Object.freeze({
    level: choice("VITRINE_LOG_LEVEL", LEVELS),
    format: choice("VITRINE_LOG_FORMAT", FORMATS),
    requests: choice("VITRINE_REQUEST_LOG", REQUESTS),
    slowRequest: readDuration("VITRINE_SLOW_REQUEST", read("VITRINE_SLOW_REQUEST")),
    slowQuery: readDuration("VITRINE_SLOW_QUERY", read("VITRINE_SLOW_QUERY")),
  });
}

/** Reads the address to bind; both loopback addresses by default. Throws `SettingError`. */
export function readHosts(name: SettingName, value: string | undefined): readonly string[] {
  if (value === undefined || value === "localhost") return ["127.0.0.1", "::1"];
  if (isIP(value) === 0) throw new SettingError(`${name} must be an IP address or localhost, not "${value}".`);
  return [value];
}

/** Returns the token. The error does not quote it, because errors end up in logs. */
function readToken(value: string | undefined): string | undefined {
  // Other characters can't be sent in a header, or only in several encodings.
  if (value !== undefined && (value.length < TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(value))) {
    throw new SettingError(
      `VITRINE_METRICS_TOKEN must have at least ${TOKEN_CHARACTERS} characters, only ASCII, without spaces.`,
    );
  }
  return value;
}
