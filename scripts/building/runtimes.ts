import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ROOT, runCommand } from "./commands.ts";

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});
const SCOPE = "node_modules/@oven/";

/** Returns the Bun binary for a target such as `bun-linux-arm64`: from npm, checked against package-lock.json. */
export async function fetchRuntime(target: string): Promise<string> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")));
  const name = target.replace(/-arm64\b/, "-aarch64");
  const { version, integrity } = packages[SCOPE + name] ?? {};
  if (version === undefined || integrity === undefined) {
    const names = Object.keys(packages).filter((path) => path.startsWith(`${SCOPE}bun-`));
    const targets = names.map((path) => path.slice(SCOPE.length).replace("-aarch64", "-arm64"));
    throw new Error(`There is no Bun for "${target}". Choose one of ${targets.join(", ")}.`);
  }
  const installed = join(ROOT, SCOPE, name, "bin/bun");
  if (existsSync(installed)) return installed;
  const directory = join(ROOT, "build/runtimes");
  const path = join(directory, `${name}-${version}`);
  if (existsSync(path)) return path;
  await mkdir(directory, { recursive: true });
  const making = await mkdtemp(join(directory, "making-"));
  try {
    await download(`@oven/${name}@${version}`, integrity, making);
    await rename(join(making, "package/bin/bun"), path);
  } finally {
    await rm(making, { recursive: true });
  }
  return path;
}

async function download(specifier: string, integrity: string, directory: string): Promise<void> {
  const tarball = (await runCommand(["npm", "pack", specifier, "--silent", "--pack-destination", directory])).trim();
  const [algorithm = "", digest = ""] = integrity.split(/-(.*)/s);
  if (algorithm !== "sha512") throw new Error(`package-lock.json has no SHA-512 of ${specifier}.`);
  const bytes = await Bun.file(join(directory, tarball)).bytes();
  if (new Bun.CryptoHasher("sha512").update(bytes).digest("base64") !== digest) {
    throw new Error(`npm's ${specifier} isn't the one in package-lock.json: its SHA-512 differs.`);
  }
  await runCommand(["tar", "--extract", "--file", tarball, "package/bin/bun"], { directory });
}
