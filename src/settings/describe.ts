import { resolve } from "node:path";
import type { Environment } from "./s3.ts";
import { SETTINGS } from "./table.ts";

/** A setting with its effective value. */
export interface DescribedSetting {
  name: string;
  /** The value, without secrets. */
  value: string;
  source: "flag" | "environment" | "default";
}

const S3_VARIABLES = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION"];
/** Names of variables whose values are never shown, including those of later versions. */
const SECRET_NAMES = /SECRET|TOKEN|PASSWORD|_KEY$/;
const HIDDEN = "(hidden)";

/** Returns all settings with their effective values. `flags` are by the names of the variables. */
export function describeSettings(environment: Environment, flags: Environment): DescribedSetting[] {
  const portOf = (name: "VITRINE_PORT" | "VITRINE_CONTENT_PORT") =>
    flags[name]?.trim() || environment[name]?.trim() || SETTINGS[name].default;
  const ports = { port: portOf("VITRINE_PORT"), contentPort: portOf("VITRINE_CONTENT_PORT") };
  const defaults = Object.entries(SETTINGS).map(([name, setting]): [string, string] => [name, setting.default]);
  const others = S3_VARIABLES.filter((name) => environment[name]?.trim()).map((name): [string, string] => [name, ""]);
  return [...defaults, ...others].map(([name, fallback]) => {
    const flag = flags[name]?.trim();
    const variable = environment[name]?.trim();
    const value = flag || variable;
    if (!value) return { name, value: effective(name, fallback, ports), source: "default" };
    const shown = withoutSecrets(name, effective(name, value, ports));
    return { name, value: shown, source: flag ? "flag" : "environment" };
  });
}

/** Returns a value as the server uses it: with an absolute path, and with the ports in default addresses. */
function effective(name: string, value: string, { port, contentPort }: { port: string; contentPort: string }): string {
  if (name === "VITRINE_DATA_DIR") return resolve(value);
  return value.replace(/:CONTENT_PORT$/, `:${contentPort}`).replace(/:PORT$/, `:${port}`);
}

function withoutSecrets(name: string, value: string): string {
  if (SECRET_NAMES.test(name)) return HIDDEN;
  // Also in addresses that can't be parsed. A password may contain an "@".
  return value
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):.*@/i, `$1:${HIDDEN}@`)
    .replace(PASSWORD_PARAMETER, `$1${HIDDEN}`);
}

/** PostgreSQL also takes a password as a parameter. */
const PASSWORD_PARAMETER = /([?&](?:ssl)?password=)[^&]*/gi;
