import { z } from "zod";

const sources = new URL("./bridge/", import.meta.url);

export const bridgeCodeSchema = z.object({ bridge: z.string(), picture: z.string(), review: z.string() });
/** The scripts of the bridge: the one in each framed page, and those for pictures and comments, which load when needed. */
export type BridgeCode = z.output<typeof bridgeCodeSchema>;

/** One line of ASCII that doesn't end its element. */
const INLINE = /^(?:(?!<\/script|<!--)[ -~])+$/i;

/** Bundles the scripts of the bridge. */
export async function buildBridgeCode(): Promise<BridgeCode> {
  const [bridge, picture, review] = await Promise.all([
    bundle("bridge.client.ts", "iife"),
    bundle("picture.client.ts", "esm"),
    bundle("review.client.ts", "esm"),
  ]);
  if (!INLINE.test(bridge)) throw new Error("The bridge's script can't be written into pages as it is.");
  return bridgeCodeSchema.parse({ bridge, picture, review });
}

async function bundle(file: string, format: "iife" | "esm"): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL(file, sources).pathname],
    target: "browser",
    format,
    minify: true,
  });
  const text = await outputs[0]?.text();
  if (text === undefined) throw new Error(`Bundling ${file} failed.`);
  return text.trim();
}
