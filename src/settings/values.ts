import { SettingError } from "./setting-error.ts";
import { SETTINGS, type SettingName } from "./table.ts";

/** Reads a whole number. Throws `SettingError` if it is not one or out of range. */
export function readInteger(name: SettingName, value: string | undefined, maximum: number, minimum = 0): number {
  const text = value ?? SETTINGS[name].default;
  const number = Number(text);
  if (!/^\d{1,10}$/.test(text) || number > maximum || number < minimum) {
    throw new SettingError(`${name} must be a whole number from ${minimum} to ${maximum}, not "${text}".`);
  }
  return number;
}

/** Reads the public address of a host. Throws `SettingError` if it is more than scheme, host and port. */
export function readUrl(name: SettingName, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new SettingError(`${name} must be an address such as https://reports.example.org, not "${value}".`);
  }
  return url.origin;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };

/** Reads a size in bytes. Throws `SettingError` if it is not one. */
export function readSize(name: SettingName, value: string | undefined): number {
  const text = value ?? SETTINGS[name].default;
  const [, digits = "", unit = ""] = /^(\d{1,9})\s*([KMGT]?B?)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toUpperCase()];
  const size = Number(digits) * (factor ?? Number.NaN);
  if (digits === "" || !Number.isSafeInteger(size)) {
    throw new SettingError(`${name} must be a size such as 500MB or 10GB, not "${text}".`);
  }
  return size;
}

const DURATIONS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a duration and returns its milliseconds. Throws `SettingError` if it is not one. */
export function readDuration(name: SettingName, value: string | undefined): number {
  const text = value ?? SETTINGS[name].default;
  if (text === "0") return 0;
  const [, digits = "", unit = ""] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = DURATIONS[unit];
  if (factor === undefined)
    throw new SettingError(`${name} must be a duration such as 500ms, 30m or 24h, not "${text}".`);
  return Number(digits) * factor;
}
