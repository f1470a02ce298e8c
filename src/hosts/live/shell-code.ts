import { z } from "zod";
import { tokensOf } from "../../look/tokens.ts";
import { bundleCompareScript } from "../http/changes/compare-script.ts";
import { SHELL_PATH } from "../http/shell-files.ts";

const sources = new URL("./shell/", import.meta.url);

/** The parts of shells that load when a reader asks for them: each has a script `NAME.client.ts` and a style `NAME.css`. */
const PARTS = ["changes", "comments"] as const;

export const shellCodeSchema = z.object({
  style: z.string(),
  liveScript: z.string(),
  /** The script of live links on the host that knows the reader. */
  privateScript: z.string(),
  versionScript: z.string(),
  guestStyle: z.string(),
  guestScript: z.string(),
  /** The files of the parts, by names that change with their content. */
  shellFiles: z.record(z.string(), z.string()),
});
export type ShellCode = z.output<typeof shellCodeSchema>;

/** Bundles the shells' styles and scripts. Takes a few milliseconds. */
export async function buildShellCode(): Promise<ShellCode> {
  const compare = await bundleCompareScript();
  const parts = await Promise.all(PARTS.map((name) => bundlePart(name, SHELL_PATH + compare.name)));
  const addresses = Object.fromEntries(parts.map(({ name, script, style }) => [name, { script, style }]));
  const define = {
    SHELL_PARTS: JSON.stringify({ comments: addresses.comments }),
    CHANGES_PART: JSON.stringify({ script: addresses.changes?.script }),
  };
  const [style, guestStyle] = await Promise.all(["shell.css", "guest.css"].map(bundleStyle));
  const [liveScript, privateScript, versionScript, guestScript] = await Promise.all(
    ["live.client.ts", "private.client.ts", "version.client.ts", "guest.client.ts"].map((file) =>
      bundle(file, { format: "iife", define }),
    ),
  );
  const shellFiles = Object.assign({ [compare.name]: compare.text }, ...parts.map(({ files }) => files));
  return shellCodeSchema.parse({
    style,
    liveScript,
    privateScript,
    versionScript,
    guestStyle,
    guestScript,
    shellFiles,
  });
}

/** Bundles a part, and returns the addresses of its files beside them. */
async function bundlePart(name: string, compareWorker: string) {
  const style = await bundleStyle(`${name}.css`);
  const styleName = `${name}-${digestOf(style)}.css`;
  const script = await bundle(`${name}.client.ts`, {
    format: "esm",
    define: { PART_STYLE: JSON.stringify(SHELL_PATH + styleName), COMPARE_WORKER: JSON.stringify(compareWorker) },
  });
  const scriptName = `${name}-${digestOf(script)}.js`;
  return {
    name,
    script: SHELL_PATH + scriptName,
    style: SHELL_PATH + styleName,
    files: { [scriptName]: script, [styleName]: style },
  };
}

const digestOf = (text: string): string => Bun.hash(text).toString(36);

async function bundleStyle(file: string): Promise<string> {
  const style = await bundle(file, { format: "iife" });
  return `${tokensOf(style)}${style}`;
}

async function bundle(
  file: string,
  { format, define = {} }: { format: "iife" | "esm"; define?: Record<string, string> },
): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL(file, sources).pathname],
    target: "browser",
    format,
    minify: true,
    define,
  });
  const text = await outputs[0]?.text();
  if (text === undefined) throw new Error(`Bundling ${file} failed.`);
  return text.trim();
}
