import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type LaunchOptions, type Page } from "playwright-core";
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

/** Saves the whole page as `<name>-<width>-<scheme>.png`, wide and narrow, light and dark; resolves to the paths. */
export async function screenshots(page: Page, directory: string, name: string): Promise<string[]> {
  const paths: string[] = [];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const path = join(directory, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true, animations: "disabled" });
      paths.push(path);
    }
  }
  return paths;
}
