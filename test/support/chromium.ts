import { existsSync } from "node:fs";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { use } from "./use.ts";

const executablePath = "/usr/bin/chromium";

/** Why no browser can be had here, if so. */
export function chromiumUnavailable(): string | undefined {
  return existsSync(executablePath) ? undefined : `no ${executablePath} (Debian's package: chromium)`;
}

/** Starts a browser with an empty profile; close it after use. It ends with this process at the latest. */
export function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath,
    ...options,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      // Without these it calls home, which a closed network refuses in a flood of errors.
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(options.args ?? []),
    ],
  });
}

/** Starts a browser before the tests of a describe block, or of a file, and closes it after them. */
export const useBrowser = (): Browser => use(() => launchChromium());
