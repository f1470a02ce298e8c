import { join } from "node:path";
import { z } from "zod";
import type { PortalPlace } from "./places.ts";

/** Where a page finds the parts of the portal. */
export const ASSETS_PATH = "/-/assets/";

const manifestSchema = z.object({
  script: z.string(),
  style: z.string(),
  /** Scripts that the first one cannot do without. */
  preload: z.array(z.string()),
  /** The script of the API reference, which is a separate page. */
  apiDocs: z.string(),
  files: z.array(z.string()),
  /** The code of the shells, which another host reads. */
  shell: z.unknown(),
});

export type PortalManifest = z.output<typeof manifestSchema>;

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  encoding: "br" | "gzip" | undefined;
}

/** The portal as browsers get it. */
export interface Portal {
  manifest: PortalManifest;
  /** Returns a part of this build or of an earlier one, compressed if the browser takes that; undefined if it does not exist. */
  readAsset(name: string, acceptedEncodings: string): Promise<Asset | undefined>;
}

/** A name as builds give them: no path leads out of the directory. */
const ASSET_NAME = /^[\w.-]+-[0-9a-z]+\.(?:js|css|svg|woff2)$/;

/** Returns a build; throws when its manifest is missing. */
export async function openPortal(place: PortalPlace): Promise<Portal> {
  const manifest = await readManifest(place);
  if (manifest === undefined) throw new Error(`The portal is missing: ${place.manifest}`);

  async function readAsset(name: string, accepted: string): Promise<Asset | undefined> {
    if (!ASSET_NAME.test(name)) return undefined;
    const path = join(place.assets, name);
    const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
    const suffix = encoding === undefined ? "" : encoding === "br" ? ".br" : ".gz";
    const bytes = await readIfThere(path + suffix);
    return bytes && { bytes, encoding };
  }

  return { manifest, readAsset };
}

/** Returns what a build is made of; undefined when it has not been made, or not by this version of the program. */
export async function readManifest({ manifest }: PortalPlace): Promise<PortalManifest | undefined> {
  const bytes = await readIfThere(manifest);
  return bytes && manifestSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
}

async function readIfThere(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = Bun.file(path);
  if (!(await file.exists())) return undefined;
  return file.bytes().catch((error) => {
    // Removed since.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}
