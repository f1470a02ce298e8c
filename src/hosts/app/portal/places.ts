import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedPath } from "../../http/embedded.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** What goes into a build; the lock file says the versions of everything else that is installed. */
const SOURCES = [
  "src/{portal,client,contract,domain}/**/*.{ts,tsx,css,svg}",
  "src/hosts/app/portal/{bundle,reference-script}.ts",
  "src/hosts/live/shell-code.ts",
  "src/hosts/live/shell/**/*.{ts,css}",
];

/** The portal's directory inside the executable. */
export const PORTAL = "portal";
export const MANIFEST = "manifest.json";
/** The directory of what browsers load: files of all builds, each with its digest in its name. */
export const ASSETS = "assets";
/** The directory of the builds' manifests. */
export const MANIFESTS = "manifests";

/** Where one build of the portal is. */
export interface PortalPlace {
  /** The file that names the parts. */
  manifest: string;
  /** The directory with the parts, and with those of earlier builds. */
  assets: string;
}

/** Returns a path in the checkout that this program runs from. */
export const inCheckout = (...path: string[]): string => join(ROOT, ...path);

/** Returns the build inside the executable; undefined where the program runs from its sources. */
export function embeddedPlace(): PortalPlace | undefined {
  const directory = embeddedPath(PORTAL);
  return directory === undefined ? undefined : { manifest: join(directory, MANIFEST), assets: join(directory, ASSETS) };
}

/** Returns where in a directory the build of some sources is, once it is made. */
export const placeIn = (directory: string, digest: string): PortalPlace => ({
  manifest: join(directory, MANIFESTS, `${digest}.json`),
  assets: join(directory, ASSETS),
});

/** Returns the digest of the sources as they are now. */
export async function digestSources(): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256").update(Bun.version);
  const paths = await Promise.all(SOURCES.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan(ROOT))));
  for (const path of ["package-lock.json", ...paths.flat().sort()]) {
    hasher.update(`${path}\0`).update(await Bun.file(join(ROOT, path)).bytes());
  }
  return hasher.digest("hex").slice(0, 16);
}

/** Notes that a build is in use, so that later builds leave its files alone. */
export async function markUsed({ manifest }: PortalPlace): Promise<void> {
  const now = new Date();
  // A read-only build is never pruned.
  await utimes(manifest, now, now).catch(() => undefined);
}
