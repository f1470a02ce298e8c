import { z } from "zod";

const sources = new URL("./shell/", import.meta.url);

export const shellCodeSchema = z.object({ style: z.string(), script: z.string() });
export type ShellCode = z.output<typeof shellCodeSchema>;

/** Bundles the shell's own style and script, which takes some milliseconds. */
export async function buildShellCode(): Promise<ShellCode> {
  const [script, style] = await Promise.all([bundle("shell.client.ts"), bundle("shell.css")]);
  return { script, style };
}

async function bundle(file: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL(file, sources).pathname],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const text = await outputs[0]?.text();
  if (text === undefined) throw new Error(`${file} could not be bundled.`);
  return text.trim();
}
