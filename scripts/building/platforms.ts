import { copyFile, cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTar } from "./archives.ts";
import { ROOT } from "./commands.ts";
import type { Target } from "./executable.ts";
import type { Source } from "./source.ts";

/** The platforms of a release, as in the names of its files, and Bun's targets for them. */
export const PLATFORMS = {
  "linux-x64": "bun-linux-x64",
  "linux-arm64": "bun-linux-arm64",
  "macos-x64": "bun-darwin-x64",
  "macos-arm64": "bun-darwin-arm64",
} as const satisfies Record<string, Target>;

interface PlatformOptions {
  /** The name of the archive without its ending, which is also the directory in it. */
  name: string;
  executable: string;
  /** The path of the inventory of the executable. */
  sbomFile: string;
  source: Source;
}

/** Packs an executable with its manual, its license, and documentation and files for operators. Returns the name of the archive. */
export async function packExecutable(directory: string, options: PlatformOptions): Promise<string> {
  const { name, executable, sbomFile, source } = options;
  const making = await mkdtemp(join(tmpdir(), "vitrine-platform-"));
  try {
    const place = join(making, name);
    await mkdir(join(place, "bin"), { recursive: true });
    await copyFile(executable, join(place, "bin/vitrine"));
    await mkdir(join(place, "man"));
    await copyFile(join(ROOT, "generated/vitrine.1"), join(place, "man/vitrine.1"));
    for (const file of ["LICENSE", "CHANGELOG.md"]) await copyFile(join(ROOT, file), join(place, file));
    await copyFile(sbomFile, join(place, "sbom.cdx.json"));
    await cp(join(ROOT, "deploy"), join(place, "deploy"), { recursive: true });
    // What deploy/README.md links to.
    const pages = (await readdir(join(ROOT, "docs"))).filter((page) => page.endsWith(".md"));
    for (const page of pages) await cp(join(ROOT, "docs", page), join(place, "docs", page));
    await cp(join(ROOT, "docs/python"), join(place, "docs/python"), { recursive: true });
    await writeTar(join(directory, `${name}.tar.gz`), { directory: making, names: [name], source });
    return `${name}.tar.gz`;
  } finally {
    await rm(making, { recursive: true });
  }
}
