import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import clientPackage from "../../client/package.json";
import { buildWheel } from "../../src/hosts/app/downloads/wheel.ts";
import { runCommand } from "./commands.ts";
import type { Source } from "./source.ts";

/** Builds the npm package of the typed client in a directory and returns its name. npm sets the same times in all packages. */
export async function packClient(directory: string, { version }: Pick<Source, "version">): Promise<string> {
  if (clientPackage.version !== version) {
    throw new Error(`client/package.json has version ${clientPackage.version}, and package.json has ${version}.`);
  }
  const making = await mkdtemp(join(tmpdir(), "vitrine-client-"));
  try {
    await runCommand([process.execPath, "--no-env-file", "scripts/client.ts", making]);
    const options = ["--silent", "--ignore-scripts", "--pack-destination", directory];
    return (await runCommand(["npm", "pack", ...options], { directory: making })).trim();
  } finally {
    await rm(making, { recursive: true });
  }
}

/** Packs the files of the commit for people who run Vitrine from source. Returns the name of the archive. */
export async function packSource(
  directory: string,
  { commit }: Pick<Source, "commit">,
  label: string,
): Promise<string> {
  const tar = join(directory, `${label}-source.tar`);
  await runCommand(["git", "archive", "--format=tar", `--prefix=${label}/`, `--output=${tar}`, commit]);
  await runCommand(["gzip", "--no-name", "--force", tar]);
  return `${label}-source.tar.gz`;
}

/** Builds the wheel of the Python package in a directory and returns its name. */
export async function packPython(directory: string, { version }: Pick<Source, "version">): Promise<string> {
  const { name, bytes } = await buildWheel();
  if (!name.includes(`-${version}-`)) throw new Error(`python/pyproject.toml isn't of version ${version}: ${name}`);
  await Bun.write(join(directory, name), bytes);
  return name;
}
