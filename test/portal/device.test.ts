import { expect, test } from "bun:test";
import { describeDevice } from "../../src/portal/account/device.ts";

const MOZILLA = "Mozilla/5.0";

test.each([
  [
    `${MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36`,
    "Chrome on Linux",
    false,
  ],
  [
    `${MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36`,
    "Chrome on Linux",
    false,
  ],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`,
    "Edge on Windows",
    false,
  ],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 OPR/120.0.0.0`,
    "Opera on Windows",
    false,
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    "Safari on macOS",
    false,
  ],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0`, "Firefox on Windows", false],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1`,
    "Safari on iPhone",
    true,
  ],
  [
    `${MOZILLA} (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0.0.0 Mobile/15E148 Safari/604.1`,
    "Chrome on iPad",
    true,
  ],
  [
    `${MOZILLA} (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
    true,
  ],
  [
    `${MOZILLA} (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36`,
    "Chrome on ChromeOS",
    false,
  ],
  ["Bun/1.4.4", "Bun", false],
  ["curl/8.14.1", "curl", false],
  [`${MOZILLA} (compatible)`, "Unknown device", false],
  [`${MOZILLA} (Windows NT 10.0)`, "Windows", false],
  ["", "Unknown device", false],
  [null, "Unknown device", false],
])("%s is described as %s", (userAgent, words, isHandheld) => {
  expect(describeDevice(userAgent)).toEqual({ words, isHandheld });
});
