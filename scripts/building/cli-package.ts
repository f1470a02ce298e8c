import { chmod, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import { writeTar } from "./archives.ts";
import { ROOT } from "./commands.ts";

const ENTRY = "client.js";
/** The time of all files, so that the server hands out the bytes that a release has: 2020-01-01. */
const TIME = { epoch: 1_577_836_800 };

/** Builds the npm package of the command line, which runs on Node and has no dependencies. Returns its name. */
export async function packCli(directory: string): Promise<string> {
  const making = await mkdtemp(join(tmpdir(), "vitrine-cli-"));
  try {
    const place = join(making, "package");
    await bundle(join(place, "dist"));
    await mkdir(join(place, "bin"));
    const executable = join(place, "bin/vitrine.js");
    await Bun.write(executable, `#!/usr/bin/env node\nimport "../dist/${ENTRY}";\n`);
    await chmod(executable, 0o755);
    await cp(join(ROOT, "LICENSE"), join(place, "LICENSE"));
    const { version, description, license, type, engines } = packageJson;
    const manifest = {
      name: "vitrine",
      version,
      description,
      license,
      type,
      engines,
      bin: { vitrine: "bin/vitrine.js" },
    };
    await Bun.write(join(place, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const name = `vitrine-${version}.tgz`;
    const tar = join(making, "package.tar.gz");
    await writeTar(tar, { directory: making, names: ["package"], source: TIME });
    await cp(tar, join(directory, name));
    return name;
  } finally {
    await rm(making, { recursive: true });
  }
}

async function bundle(outdir: string): Promise<void> {
  await Bun.build({
    entrypoints: [join(ROOT, "src/main", ENTRY.replace(".js", ".ts"))],
    outdir,
    target: "node",
    format: "esm",
    splitting: true,
    minify: true,
    // Modules of the server, which commands that need them refuse to load.
    external: ["bun", "bun:sqlite"],
  });
}
