import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { sumFiles } from "./building/archives.ts";
import { findChanges, releaseNotes } from "./building/changelog.ts";
import { packCli } from "./building/cli-package.ts";
import { readCommandLine } from "./building/command-line.ts";
import { ROOT } from "./building/commands.ts";
import { buildExecutable } from "./building/executable.ts";
import { type ARCHITECTURES, type Architecture, buildImage, requireImageTools } from "./building/image.ts";
import { packClient, packPython, packSource } from "./building/packages.ts";
import { PLATFORMS, packExecutable } from "./building/platforms.ts";
import { writeSbom } from "./building/sbom.ts";
import { readSource, type Source } from "./building/source.ts";

const HELP = `Usage: npm run release:build -- [options]

Builds everything that a release consists of into build/release/VERSION. Uploads nothing.

  --snapshot          build whatever there is: uncommitted changes and unreleased entries of the changelog
  --directory <path>  write to this new directory instead
`;

interface Executable {
  path: string;
  metafile: Bun.BuildMetafile;
}

async function release(directory: string, label: string, source: Source, notes: string): Promise<void> {
  // What is only needed on the way.
  const parts = join(directory, "parts");
  await mkdir(parts);
  await Bun.write(join(directory, "RELEASE_NOTES.md"), notes);
  announce(await packClient(directory, source));
  announce(await packCli(directory));
  announce(await packPython(directory, source));
  announce(await packSource(directory, source, label));
  const executables: Record<string, Executable> = {};
  for (const [platform, target] of Object.entries(PLATFORMS)) {
    const path = join(parts, platform);
    executables[platform] = { path, metafile: await buildExecutable(path, target) };
  }
  const sbomFile = join(directory, `${label}.cdx.json`);
  const { metafile } = required(executables, "linux-x64");
  await Bun.write(sbomFile, await writeSbom({ source, metafile }));
  for (const platform of Object.keys(PLATFORMS)) {
    const { path: executable } = required(executables, platform);
    announce(await packExecutable(directory, { name: `${label}-${platform}`, executable, sbomFile, source }));
  }
  for (const architecture of ["x64", "arm64"] satisfies (keyof typeof ARCHITECTURES)[]) {
    await image(directory, label, architecture, required(executables, `linux-${architecture}`), source);
  }
  await rm(parts, { recursive: true });
  await Bun.write(join(directory, "SHA256SUMS"), await sumFiles(directory, await readdir(directory)));
}

async function image(
  directory: string,
  label: string,
  architecture: Architecture,
  { path: executable, metafile }: Executable,
  source: Source,
): Promise<void> {
  const name = `${label}-image-linux-${architecture}`;
  const [outfile, sbomFile] = [join(directory, `${name}.tar`), join(directory, `${name}.cdx.json`)];
  await buildImage({ architecture, executable, metafile, source, outfile, sbomFile });
  announce(`${name}.tar`);
}

function required(executables: Readonly<Record<string, Executable>>, platform: string): Executable {
  const executable = executables[platform];
  if (executable === undefined) throw new Error(`The executable for ${platform} hasn't been built.`);
  return executable;
}

const announce = (name: string) => console.error(`Built ${name}`);

/** Returns the release notes, and refuses a release that would not be what its version says. */
async function prepare(source: Source, isSnapshot: boolean): Promise<string> {
  const changelog = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
  if (isSnapshot) return `${findChanges(changelog, "Unreleased") ?? "No changes since the last release."}\n`;
  if (source.isDirty) throw new Error("Files differ from the commit. Commit them, or pass --snapshot.");
  return releaseNotes(changelog, source.version);
}

const { values } = readCommandLine(HELP, {
  options: { snapshot: { type: "boolean", default: false }, directory: { type: "string" } },
});
const source = await readSource();
const version = values.snapshot ? `${source.version}-snapshot` : source.version;
const target = resolve(ROOT, values.directory ?? join("build/release", version));
let making: string | undefined;
try {
  const notes = await prepare(source, values.snapshot);
  // Replaces an earlier release in build/, but no other directory.
  if (values.directory === undefined) await rm(target, { recursive: true, force: true });
  else if (existsSync(target)) throw new Error(`${target} exists already. Choose another directory.`);
  await requireImageTools();
  await mkdir(dirname(target), { recursive: true });
  making = await mkdtemp(`${target}-making-`);
  await chmod(making, 0o755);
  await release(making, `vitrine-${version}`, source, notes);
  await rename(making, target);
} catch (error) {
  if (making !== undefined) await rm(making, { recursive: true, force: true });
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
console.log(target);
