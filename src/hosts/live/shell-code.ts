import { z } from "zod";
import { tokensOf } from "../../look/tokens.ts";

const sources = new URL("./shell/", import.meta.url);

export const shellCodeSchema = z.object({ style: z.string(), liveScript: z.string(), versionScript: z.string() });
export type ShellCode = z.output<typeof shellCodeSchema>;

/** Bundles the shells' styles and scripts. Takes a few milliseconds. */
export async function buildShellCode(): Promise<ShellCode> {
  const [style, liveScript, versionScript] = await Promise.all(
    ["shell.css", "live.client.ts", "version.client.ts"].map(bundle),
  );
  return shellCodeSchema.parse({ style: `${tokensOf(style ?? "")}${style}`, liveScript, versionScript });
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
