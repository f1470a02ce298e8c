import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { z } from "zod";
import { bundleCompareScript } from "../../http/changes/compare-script.ts";
import { ASSETS_PATH, type PortalManifest, readManifest } from "./files.ts";
import { laterParts } from "./later-parts.ts";
import {
  ASSETS,
  digestSources,
  inCheckout,
  isInDevelopment,
  MANIFESTS,
  markUsed,
  type PortalPlace,
  placeIn,
} from "./places.ts";
import { readReferenceScript } from "./reference-script.ts";

/** The directory for builds in the checkout. */
const CHECKOUT_BUILDS = inCheckout("build", "portal");
const MAKING = "making-";
/** How long a build is kept after its last use, in milliseconds: pages that use it may still be open. */
const KEPT = 7 * 24 * 60 * 60_000;
const COMPRESSED = ["", ".br", ".gz"];

/** Returns the build of the current sources, if it is complete. */
export async function findBuilt(): Promise<PortalPlace | undefined> {
  return findBuiltOf(placeIn(CHECKOUT_BUILDS, await digestSources(isInDevelopment())));
}

async function findBuiltOf(place: PortalPlace): Promise<PortalPlace | undefined> {
  const manifest = await readManifest(place);
  if (manifest === undefined) return undefined;
  const there = new Set(await readdir(place.assets));
  return filesOf(manifest).every((name) => there.has(name)) ? place : undefined;
}

interface Building {
  /** Builds the code of the shells, which is part of the same build. */
  buildShell(): Promise<object>;
  /** Whether the build has the page that shows the design; by default only in development. */
  hasDesign?: boolean;
  note(line: string): void;
}

/**
 * Builds the portal and the shells' code unless a current build exists. Several processes can build at the same time,
 * even while servers run: files are moved into place when complete, under names that change with their content.
 */
export async function bundlePortal({
  buildShell,
  hasDesign = isInDevelopment(),
  note,
}: Building): Promise<PortalPlace> {
  const digest = await digestSources(hasDesign);
  const built = await findBuiltOf(placeIn(CHECKOUT_BUILDS, digest));
  if (built !== undefined) {
    await markUsed(built);
    return built;
  }
  note("Building the portal…");
  const directory = await findPlace();
  const place = placeIn(directory, digest);
  await Promise.all([ASSETS, MANIFESTS].map((name) => mkdir(join(directory, name), { recursive: true })));
  const making = await mkdtemp(join(directory, MAKING));
  try {
    const manifest = await build(making, { shell: await buildShell(), hasDesign });
    for (const name of filesOf(manifest)) await rename(join(making, name), join(place.assets, name));
    await Bun.write(join(making, basename(place.manifest)), JSON.stringify(manifest));
    // The manifest comes last, when all of its files are in place.
    await rename(join(making, basename(place.manifest)), place.manifest);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  await prune(directory);
  return place;
}

/** Returns the names of all files of a build, including compressed ones. */
export const filesOf = ({ files }: Pick<PortalManifest, "files">): string[] =>
  files.flatMap((name) => COMPRESSED.map((suffix) => name + suffix));

/** Returns a directory for builds: in the checkout or, if that is read-only, a temporary one. */
async function findPlace(): Promise<string> {
  try {
    await mkdir(CHECKOUT_BUILDS, { recursive: true });
    await rm(await mkdtemp(join(CHECKOUT_BUILDS, MAKING)), { recursive: true });
    return CHECKOUT_BUILDS;
  } catch {
    return mkdtemp(join(tmpdir(), "vitrine-portal-"));
  }
}

/** Removes builds that have not been used for a week, and files that no other build needs. */
async function prune(directory: string): Promise<void> {
  const before = Date.now() - KEPT;
  await removeOld(join(directory, MANIFESTS), before, () => true);
  const needed = new Set<string>();
  for (const name of await readdir(join(directory, MANIFESTS))) {
    for (const file of await filesNamedIn(join(directory, MANIFESTS, name))) needed.add(file);
  }
  // A recent file may belong to a build that has not written its manifest yet.
  await removeOld(join(directory, ASSETS), before, (name) => !needed.has(name));
  // Leftovers of crashed builds, and builds of earlier versions of Vitrine.
  await removeOld(directory, before, (name) => name.startsWith(MAKING));
  if (directory === CHECKOUT_BUILDS) await removeOld(inCheckout("build"), before, (name) => name.startsWith("portal-"));
}

async function removeOld(directory: string, before: number, isUnwanted: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(directory)).filter(isUnwanted)) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await rm(path, { recursive: true, force: true });
  }
}

/** Returns the files in a manifest of any version of Vitrine; none if it was deleted in the meantime. */
async function filesNamedIn(path: string): Promise<string[]> {
  const manifest = await Bun.file(path)
    .json()
    .catch(() => undefined);
  return filesOf(
    z
      .object({ files: z.array(z.string()) })
      .catch({ files: [] })
      .parse(manifest),
  );
}

const PORTAL_ENTRY = "main.client";
const DESIGN_ENTRY = "design.client";
const ENTRIES = [PORTAL_ENTRY, DESIGN_ENTRY];

interface Built {
  shell: object;
  hasDesign: boolean;
}

async function build(directory: string, { shell, hasDesign }: Built): Promise<PortalManifest> {
  const compare = await bundleCompareScript();
  await Bun.write(join(directory, compare.name), compare.text);
  const { outputs } = await Bun.build({
    entrypoints: [
      inCheckout(`src/portal/${PORTAL_ENTRY}.tsx`),
      ...(hasDesign ? [inCheckout(`src/portal/design/${DESIGN_ENTRY}.tsx`)] : []),
    ],
    outdir: directory,
    target: "browser",
    splitting: true,
    plugins: [laterParts],
    minify: true,
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: {
      "process.env.NODE_ENV": '"production"',
      COMPARE_WORKER: JSON.stringify(ASSETS_PATH + compare.name),
    },
  });
  const nameOf = (path: string) => path.slice(dirname(path).length + 1);
  const entryOf = async (name: string) => {
    const entry = outputs.find(({ kind, path }) => kind === "entry-point" && nameOf(path).startsWith(name));
    if (entry === undefined) throw new Error("Bundling the portal failed.");
    const script = nameOf(entry.path);
    return { script, preload: await staticImports(directory, script) };
  };
  const scripts = outputs.map(({ path }) => nameOf(path)).filter((name) => name.endsWith(".js"));
  const style = await joinStyles(
    directory,
    outputs.map(({ path }) => path).filter((path) => path.endsWith(".css")),
  );
  const apiDocs = await writeReference(directory);
  const manifest = {
    shell,
    ...(await entryOf(PORTAL_ENTRY)),
    ...(hasDesign ? { design: await entryOf(DESIGN_ENTRY) } : {}),
    style,
    apiDocs,
    files: [...scripts, compare.name, style, apiDocs],
  };
  await Promise.all(manifest.files.map((name) => compress(join(directory, name))));
  return manifest;
}

/**
 * Joins the styles of the entries into one file, the main one first. Scripts that load later don't load their styles, and each entry has
 * all of them already: those of the parts would be there twice, and again after what overrides them.
 */
async function joinStyles(directory: string, paths: readonly string[]): Promise<string> {
  const own = paths.filter((path) => ENTRIES.some((entry) => basename(path).startsWith(`${entry}-`)));
  const texts = await Promise.all(own.map((path) => Bun.file(path).text()));
  // Styles of equal length are sorted by their text, so that builds are equal.
  const text = texts.sort((one, other) => other.length - one.length || (one < other ? -1 : 1)).join("\n");
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

/** Returns the chunks that a script imports statically, directly or indirectly. */
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
  // For megabytes, the highest quality takes 20 seconds and saves only a tenth.
  const quality = bytes.length > 2 ** 21 ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = { [BROTLI_PARAM_SIZE_HINT]: bytes.length, [BROTLI_PARAM_QUALITY]: quality };
  await Bun.write(`${path}.br`, await brotli(bytes, { params }));
  await Bun.write(`${path}.gz`, await gzipped(bytes, { level: 9 }));
}
