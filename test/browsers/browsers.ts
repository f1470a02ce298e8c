import { firefoxUnavailable, startFirefox } from "./firefox.ts";
import { startWebkit, webkitUnavailable } from "./webkit.ts";

/** The browsers beside Chromium in which scenarios run. */
export const BROWSERS = [
  { name: "Firefox", unavailable: firefoxUnavailable, start: startFirefox },
  { name: "WebKitGTK", unavailable: webkitUnavailable, start: startWebkit },
];
