import type { Finding } from "../../cli/doctor.ts";
import { SettingError } from "../../settings/setting-error.ts";
import { findUnknownSettings, readSettings, type Settings } from "../../settings/settings.ts";
import { examineData } from "./data.ts";
import { examineDisk } from "./disk.ts";
import { ok, problem, warning } from "./findings.ts";
import { examineNetwork } from "./network.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks an installation, without changing it. Yields each finding as soon as it is known. */
export async function* examine(environment: Environment, flags: Environment): AsyncGenerator<Finding> {
  for (const unknown of findUnknownSettings(environment)) {
    yield warning("settings", unknown, "Remove the variable, or correct its name.");
  }
  const settings = read({ ...environment, ...flags });
  if (settings instanceof SettingError) {
    yield problem("settings", settings.message, "Correct it. The other checks need valid settings.");
    return;
  }
  yield ok("settings", "All of them are valid.");
  if (settings.databaseUrl === undefined || settings.s3 === undefined) yield* examineDisk(settings);
  yield* examineData(settings);
  yield* examineNetwork(settings);
}

function read(environment: Environment): Settings | SettingError {
  try {
    return readSettings(environment);
  } catch (error) {
    if (error instanceof SettingError) return error;
    throw error;
  }
}
