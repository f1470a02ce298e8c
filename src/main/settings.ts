import { describeSettings as describe } from "../settings/describe.ts";
import { SettingError } from "../settings/setting-error.ts";
import { findUnknownSettings, readSettings } from "../settings/settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns all settings with their sources, and what keeps a server from starting with them. */
export function describeSettings(environment: Environment, flags: Environment) {
  return {
    settings: describe(environment, flags),
    problem: findProblem({ ...environment, ...flags }),
    warnings: findUnknownSettings(environment),
  };
}

function findProblem(environment: Environment): string | undefined {
  try {
    readSettings(environment);
    return undefined;
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
}
