import { existsSync } from "node:fs";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { use } from "./use.ts";

const executablePath = "/usr/bin/chromium";

/** Returns why Chromium can't run here, or undefined. */
export function chromiumUnavailable(): string | undefined {
  return existsSync(executablePath) ? undefined : `${executablePath} is missing (Debian package chromium)`;
}

/** Milliseconds. Only ends waits for what never comes, however busy the machine. */
const HANGS_AFTER = 180_000;

/** Starts Chromium with an empty profile. Close it after use; it ends with this process in any case. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    ...options,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      // Prevents requests to Google, which fail with many errors in a closed network.
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(options.args ?? []),
    ],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (contextOptions) => {
    const context = await newContext(contextOptions);
    context.setDefaultTimeout(HANGS_AFTER);
    return context;
  };
  return browser;
}

/** Starts a browser before the tests of a describe block, or of a file, and closes it after them. */
export const useBrowser = (): Browser => use(() => launchChromium());
