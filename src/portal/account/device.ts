/** Browser tokens, most specific first: most browsers also claim to be others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/\S+ .*Safari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac(?:intosh| OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const HANDHELD = new Set(["iPhone", "iPad", "Android"]);

interface Device {
  /** Matches "Firefox on Windows". */
  words: string;
  isHandheld: boolean;
}

const nameIn = (names: readonly (readonly [RegExp, string])[], agent: string) =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** Returns a readable name for a user agent. */
export function describeDevice(userAgent: string | null): Device {
  const agent = userAgent ?? "";
  // Programs put their own name first.
  const browser = nameIn(BROWSERS, agent) ?? /^(?!Mozilla\/)([\w.-]{1,40})(?:\/|$)/.exec(agent)?.[1];
  const system = nameIn(SYSTEMS, agent);
  const isHandheld = system !== undefined && HANDHELD.has(system);
  if (browser === undefined) return { words: system ?? "Unknown device", isHandheld };
  return { words: system === undefined ? browser : `${browser} on ${system}`, isHandheld };
}
