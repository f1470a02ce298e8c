import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedPath } from "../../http/embedded.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** The sources of a build. The lock file covers the versions of its packages. */
export const SOURCES: readonly string[] = [
  "src/{portal,look,client,contract,domain,html}/**/*.{ts,tsx,css,svg}",
  "src/hosts/app/portal/{bundle,later-parts,reference-script,route-imports}.ts",
  "src/hosts/http/changes/compare-script.ts",
  "src/hosts/content/bridge-code.ts",
  "src/hosts/content/bridge/**/*.ts",
  "src/hosts/live/*.ts",
  "src/hosts/live/shell/**/*.{ts,css}",
];

/** The portal's directory in the executable. */
export const PORTAL = "portal";
export const MANIFEST = "manifest.json";
/** The directory of the files of all builds, each with its digest in its name. */
export const ASSETS = "assets";
/** The directory of the builds' manifests. */
export const MANIFESTS = "manifests";

/** The location of a build of the portal. */
export interface PortalPlace {
  /** The path of the manifest. */
  manifest: string;
  /** The directory of the files, including those of earlier builds. */
  assets: string;
}

/** Returns a path in the checkout that the program runs from. */
export const inCheckout = (...path: string[]): string => join(ROOT, ...path);

/** Returns the build in the executable; undefined if the program runs from source. */
export function embeddedPlace(): PortalPlace | undefined {
  const directory = embeddedPath(PORTAL);
  return directory === undefined ? undefined : { manifest: join(directory, MANIFEST), assets: join(directory, ASSETS) };
}

/** Returns the location in a directory for the build of the sources with this digest. */
export const placeIn = (directory: string, digest: string): PortalPlace => ({
  manifest: join(directory, MANIFESTS, `${digest}.json`),
  assets: join(directory, ASSETS),
});

/** Returns whether the program runs from source under `npm run dev`. */
export const isInDevelopment = (): boolean => embeddedPlace() === undefined && process.env.NODE_ENV === "development";

/** Returns the digest of the current sources and of what is built from them. */
export async function digestSources(hasDesign: boolean): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256").update(`${Bun.version}${hasDesign ? " with design" : ""}`);
  const paths = await Promise.all(SOURCES.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan(ROOT))));
  for (const path of ["package-lock.json", ...paths.flat().sort()]) {
    hasher.update(`${path}\0`).update(await Bun.file(join(ROOT, path)).bytes());
  }
  return hasher.digest("hex").slice(0, 16);
}

/** Marks a build as used, so that later builds do not prune its files. */
export async function markUsed({ manifest }: PortalPlace): Promise<void> {
  const now = new Date();
  // A read-only build is never pruned.
  await utimes(manifest, now, now).catch(() => undefined);
}
