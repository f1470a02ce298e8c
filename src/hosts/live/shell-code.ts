import { z } from "zod";
import { tokensOf } from "../../look/tokens.ts";

const sources = new URL("./shell/", import.meta.url);

export const shellCodeSchema = z.object({
  style: z.string(),
  liveScript: z.string(),
  versionScript: z.string(),
  guestStyle: z.string(),
  guestScript: z.string(),
});
export type ShellCode = z.output<typeof shellCodeSchema>;

/** Bundles the shells' styles and scripts. Takes a few milliseconds. */
export async function buildShellCode(): Promise<ShellCode> {
  const [style, guestStyle] = await Promise.all(["shell.css", "guest.css"].map(bundleStyle));
  const [liveScript, versionScript, guestScript] = await Promise.all(
    ["live.client.ts", "version.client.ts", "guest.client.ts"].map(bundle),
  );
  return shellCodeSchema.parse({ style, liveScript, versionScript, guestStyle, guestScript });
}

async function bundleStyle(file: string): Promise<string> {
  const style = await bundle(file);
  return `${tokensOf(style)}${style}`;
}

async function bundle(file: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL(file, sources).pathname],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const text = await outputs[0]?.text();
  if (text === undefined) throw new Error(`Bundling ${file} failed.`);
  return text.trim();
}
