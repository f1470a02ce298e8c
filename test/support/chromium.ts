import { afterAll, beforeAll } from "bun:test";
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from "playwright-core";
import { standIn } from "./use.ts";

/** The browser without its own windows takes half the processor time of the whole one, and shows pages as that does. */
const executablePath = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync);

/** Returns why Chromium can't run here, or undefined. */
export function chromiumUnavailable(): string | undefined {
  return executablePath === undefined ? "Debian package chromium-headless-shell is missing" : undefined;
}

/** Milliseconds. Only ends waits for what never comes, however busy the machine. */
const HANGS_AFTER = 180_000;

/** Starts Chromium with an empty profile. Close it after use; it ends with this process in any case. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
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

/** Tests load each page a few times only: compiling its scripts for speed takes a fifth of all processor time, and saves less. */
const WITHOUT_OPTIMIZING = "--js-flags=--no-opt --no-maglev";

let shared: Promise<Browser> | undefined;

/** Returns the browser that all test files of this process share, and starts it when first needed, or again after it ended. */
async function sharedBrowser(): Promise<Browser> {
  const known = await shared;
  if (!known?.isConnected()) shared = launchChromium({ args: [WITHOUT_OPTIMIZING] });
  return shared ?? sharedBrowser();
}

/**
 * Provides a browser for the tests of a describe block, or of a file. Its contexts have nothing in common with those of
 * other files; those that tests leave open are closed after them.
 */
export function useBrowser(): Browser {
  let browser: Browser | undefined;
  let others = new Set<BrowserContext>();
  beforeAll(async () => {
    browser = await sharedBrowser();
    others = new Set(browser.contexts());
  });
  afterAll(async () => {
    const own = browser?.contexts().filter((context) => !others.has(context));
    await Promise.all(own?.map((context) => context.close()) ?? []);
  });
  return standIn(() => {
    if (browser === undefined) throw new Error("A browser exists only while its tests run.");
    return browser;
  });
}
