import type { CliContext } from "./cli-context.ts";

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the browser. Returns false if there is no browser to open. */
export function openInBrowser({ hasDesktop }: CliContext, address: string): boolean {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  if (!hasDesktop || program === undefined) return false;
  const path = Bun.which(program);
  if (path === null) return false;
  // Otherwise Ctrl+C or closing the terminal would end the browser, too.
  Bun.spawn([path, ...args, address], { stdin: "ignore", stdout: "ignore", stderr: "ignore", detached: true }).unref();
  return true;
}
