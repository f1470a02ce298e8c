import { SettingError } from "../../src/settings/setting-error.ts";
import { readSettings } from "../../src/settings/settings.ts";

/** Returns the message with which settings are refused; empty if they aren't. */
export function errorOf(environment: Record<string, string>): string {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return "";
}
