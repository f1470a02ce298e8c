import { join } from "node:path";
import { z } from "zod";
import { acceptedEncodings } from "../../http/encodings.ts";
import type { PortalPlace } from "./places.ts";

/** The path of the portal's files. */
export const ASSETS_PATH = "/-/assets/";

/** A script, and those that it imports statically. */
const entry = z.object({ script: z.string(), preload: z.array(z.string()) });

const manifestSchema = entry.extend({
  /** The page that shows the design; only in development. */
  design: entry.optional(),
  style: z.string(),
  /** The script of the API reference, which is a separate page. */
  apiDocs: z.string(),
  files: z.array(z.string()),
  /** The code of the shells, which the live host reads. */
  shell: z.unknown(),
});

export type PortalManifest = z.output<typeof manifestSchema>;

/** The codings that a build has of each file, smallest first. */
const BUILT_ENCODINGS = ["br", "gzip"] as const;

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  encoding: (typeof BUILT_ENCODINGS)[number] | undefined;
}

/** A build of the portal. */
export interface Portal {
  manifest: PortalManifest;
  /** Returns a file of this build or an earlier one, compressed if the browser supports it; undefined if it does not exist. */
  readAsset(name: string, acceptedEncodings: string): Promise<Asset | undefined>;
}

/** Matches the names of built files, which excludes path traversal. */
const ASSET_NAME = /^[\w.-]+-[0-9a-z]+\.(?:js|css|svg|woff2)$/;

/** Opens a build. Throws if its manifest is missing. */
export async function openPortal(place: PortalPlace): Promise<Portal> {
  const manifest = await readManifest(place);
  if (manifest === undefined) throw new Error(`The portal hasn't been built: ${place.manifest} doesn't exist.`);

  async function readAsset(name: string, accepted: string): Promise<Asset | undefined> {
    if (!ASSET_NAME.test(name)) return undefined;
    const path = join(place.assets, name);
    const preferred = acceptedEncodings(accepted);
    const encoding = BUILT_ENCODINGS.find((built) => preferred.includes(built));
    const suffix = encoding === undefined ? "" : encoding === "br" ? ".br" : ".gz";
    const bytes = await readIfThere(path + suffix);
    return bytes && { bytes, encoding };
  }

  return { manifest, readAsset };
}

/** Returns the manifest of a build; undefined if it does not exist or was made by another version of Vitrine. */
export async function readManifest({ manifest }: PortalPlace): Promise<PortalManifest | undefined> {
  const bytes = await readIfThere(manifest);
  return bytes && manifestSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
}

async function readIfThere(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = Bun.file(path);
  if (!(await file.exists())) return undefined;
  return file.bytes().catch((error) => {
    // The file was deleted in the meantime.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}
