import { z } from "zod";

const sources = new URL("./bridge/", import.meta.url);

export const bridgeCodeSchema = z.object({ bridge: z.string(), picture: z.string() });
/** The scripts of the bridge: the one in each framed page, and the one that draws pictures, which loads when needed. */
export type BridgeCode = z.output<typeof bridgeCodeSchema>;

/** Bundles the scripts of the bridge. */
export async function buildBridgeCode(): Promise<BridgeCode> {
  const [bridge, picture] = await Promise.all([bundle("bridge.client.ts", "iife"), bundle("picture.client.ts", "esm")]);
  return bridgeCodeSchema.parse({ bridge, picture });
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
