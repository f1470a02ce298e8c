/** What a browser calls itself, the more particular first: most claim to be others as well. */
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
  /** As in "Firefox on Windows". */
  words: string;
  isHandheld: boolean;
}

const nameIn = (names: readonly (readonly [RegExp, string])[], agent: string) =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** What somebody has signed in with, from the browser's word for itself. */
export function describeDevice(userAgent: string | null): Device {
  const agent = userAgent ?? "";
  // A program puts its own name first.
  const browser = nameIn(BROWSERS, agent) ?? /^(?!Mozilla\/)([\w.-]{1,40})(?:\/|$)/.exec(agent)?.[1];
  const system = nameIn(SYSTEMS, agent);
  const isHandheld = system !== undefined && HANDHELD.has(system);
  if (browser === undefined) return { words: system ?? "Unknown device", isHandheld };
  return { words: system === undefined ? browser : `${browser} on ${system}`, isHandheld };
}
