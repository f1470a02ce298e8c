import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { z } from "zod";
import { embeddedPath } from "../../embedded.ts";
import { readReferenceScript } from "./reference-script.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const ENTRY = join(ROOT, "src/portal/main.client.tsx");
/** What goes into the bundle; of what else is installed the lock file says the version. */
const SOURCES = [
  "src/{portal,client,contract,domain}/**/*.{ts,tsx,css,svg}",
  "src/hosts/app/portal/{bundle,reference-script}.ts",
];
/** Beside the sources. */
const BESIDE = join(ROOT, "build");
const PREFIX = "portal-";
/** Its place inside the executable. */
export const PORTAL = "portal";
const MANIFEST = "manifest.json";
/** Where a page finds the parts of the portal. */
export const ASSETS_PATH = "/-/assets/";

const manifestSchema = z.object({
  script: z.string(),
  style: z.string(),
  /** Scripts that the first one cannot do without. */
  preload: z.array(z.string()),
  /** The script of the API reference, which is a page of its own. */
  apiDocs: z.string(),
  files: z.array(z.string()),
});

export type PortalManifest = z.output<typeof manifestSchema>;

export interface PortalBundle {
  directory: string;
  manifest: PortalManifest;
}

/** The portal as browsers get it. */
export async function findPortal(): Promise<PortalBundle> {
  const embedded = embeddedPath(PORTAL);
  const manifest = embedded === undefined ? undefined : await readManifest(embedded);
  return embedded === undefined || manifest === undefined ? bundlePortal() : { directory: embedded, manifest };
}

/**
 * The portal as browsers get it: made from its sources when they have changed, else what was made before. Several
 * processes may do so at once: what is in place is whole.
 */
export async function bundlePortal(): Promise<PortalBundle> {
  const name = PREFIX + (await digestSources());
  // Also where nothing may be written, as a package or an image brings it.
  const made = await readManifest(join(BESIDE, name));
  if (made !== undefined) return { directory: join(BESIDE, name), manifest: made };
  const parent = await findPlace();
  const directory = join(parent, name);
  const making = await mkdtemp(join(parent, "making-"));
  const manifest = await build(making);
  // Lost when another process was first, which made the same.
  await rename(making, directory).catch(() => rm(making, { recursive: true, force: true }));
  await removeOthers(parent, name);
  return { directory, manifest };
}

async function digestSources(): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256").update(Bun.version);
  const paths = await Promise.all(SOURCES.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan(ROOT))));
  for (const path of ["package-lock.json", ...paths.flat().sort()]) {
    hasher.update(`${path}\0`).update(await Bun.file(join(ROOT, path)).bytes());
  }
  return hasher.digest("hex").slice(0, 16);
}

/** Beside the sources, or where those may not be written to, among what the machine keeps for a while. */
async function findPlace(): Promise<string> {
  try {
    await mkdir(BESIDE, { recursive: true });
    await rm(await mkdtemp(join(BESIDE, "making-")), { recursive: true });
    return BESIDE;
  } catch {
    return mkdtemp(join(tmpdir(), "vitrine-portal-"));
  }
}

async function readManifest(directory: string): Promise<PortalManifest | undefined> {
  const file = Bun.file(join(directory, MANIFEST));
  return (await file.exists()) ? manifestSchema.parse(await file.json()) : undefined;
}

async function build(directory: string): Promise<PortalManifest> {
  const { outputs } = await Bun.build({
    entrypoints: [ENTRY],
    outdir: directory,
    target: "browser",
    splitting: true,
    minify: true,
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const nameOf = (path: string) => path.slice(dirname(path).length + 1);
  const entry = outputs.find(({ kind }) => kind === "entry-point");
  if (entry === undefined) throw new Error("The portal could not be bundled.");
  const scripts = outputs.map(({ path }) => nameOf(path)).filter((name) => name.endsWith(".js"));
  const style = await joinStyles(
    directory,
    outputs.map(({ path }) => path).filter((path) => path.endsWith(".css")),
  );
  const apiDocs = await writeReference(directory);
  const manifest = {
    script: nameOf(entry.path),
    style,
    preload: await staticImports(directory, nameOf(entry.path)),
    apiDocs,
    files: [...scripts, style, apiDocs],
  };
  await Promise.all(manifest.files.map((name) => compress(join(directory, name))));
  await Bun.write(join(directory, MANIFEST), JSON.stringify(manifest));
  return manifest;
}

/** One style for all scripts, since those that come later do not bring their own; the first one's comes first. */
async function joinStyles(directory: string, paths: readonly string[]): Promise<string> {
  const texts = await Promise.all(paths.map((path) => Bun.file(path).text()));
  const text = texts.sort((one, other) => other.length - one.length).join("\n");
  const name = `portal-${Bun.hash(text).toString(36)}.css`;
  await Bun.write(join(directory, name), text);
  await Promise.all(paths.map((path) => rm(path)));
  return name;
}

async function writeReference(directory: string): Promise<string> {
  const text = await readReferenceScript();
  const name = `api-docs-${Bun.hash(text).toString(36)}.js`;
  await Bun.write(join(directory, name), text);
  return name;
}

/** The chunks that a script imports before it runs, and those that they import. */
async function staticImports(directory: string, script: string): Promise<string[]> {
  const transpiler = new Bun.Transpiler({ loader: "js" });
  const found = new Set<string>();
  async function follow(name: string): Promise<void> {
    for (const { kind, path } of transpiler.scanImports(await Bun.file(join(directory, name)).text())) {
      const imported = path.replace(/^\.\//, "");
      if (kind !== "import-statement" || found.has(imported)) continue;
      found.add(imported);
      await follow(imported);
    }
  }
  await follow(script);
  return [...found];
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compress(path: string): Promise<void> {
  const bytes = await Bun.file(path).bytes();
  const { BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_QUALITY } = constants;
  // The best would take twenty seconds for megabytes, and save a tenth of them.
  const quality = bytes.length > 2 ** 21 ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = { [BROTLI_PARAM_SIZE_HINT]: bytes.length, [BROTLI_PARAM_QUALITY]: quality };
  await Bun.write(`${path}.br`, await brotli(bytes, { params }));
  await Bun.write(`${path}.gz`, await gzipped(bytes, { level: 9 }));
}

async function removeOthers(parent: string, name: string): Promise<void> {
  const others = (await readdir(parent)).filter((other) => other.startsWith(PREFIX) && other !== name);
  await Promise.all(others.map((other) => rm(join(parent, other), { recursive: true, force: true })));
}
