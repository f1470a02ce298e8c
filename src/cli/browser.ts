import type { Surroundings } from "./surroundings.ts";

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the person's browser; false where there is none to open. */
export function openInBrowser({ hasDesktop }: Surroundings, address: string): boolean {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  if (!hasDesktop || program === undefined) return false;
  const path = Bun.which(program);
  if (path === null) return false;
  Bun.spawn([path, ...args, address], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).unref();
  return true;
}
