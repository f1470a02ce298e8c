import { z } from "zod";
import { embeddedPath } from "../embedded.ts";

const sources = new URL("./shell/", import.meta.url);
/** Its place inside the executable. */
export const SHELL_CODE = "shell.json";

const shellCodeSchema = z.object({ style: z.string(), liveScript: z.string(), versionScript: z.string() });
export type ShellCode = z.output<typeof shellCodeSchema>;

/** The shells' own style and scripts, made from their sources when somebody first needs them. */
export function createShellCode(): () => Promise<ShellCode> {
  let building: Promise<ShellCode> | undefined;
  return () => {
    building ??= findCode();
    return building;
  };
}

async function findCode(): Promise<ShellCode> {
  const embedded = embeddedPath(SHELL_CODE);
  return embedded === undefined ? buildShellCode() : shellCodeSchema.parse(await Bun.file(embedded).json());
}

/** Takes some milliseconds. */
export async function buildShellCode(): Promise<ShellCode> {
  const [style, liveScript, versionScript] = await Promise.all(
    ["shell.css", "live.client.ts", "version.client.ts"].map(bundle),
  );
  return shellCodeSchema.parse({ style, liveScript, versionScript });
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
