import { spawnSync } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = process.argv[2] ?? join(root, "build/client");

/** Builds the package of the typed client in build/client or in the directory that the argument names. */
await rm(directory, { recursive: true, force: true });
for (const name of ["package.json", "README.md"]) await cp(join(root, "client", name), join(directory, name));
await cp(join(root, "LICENSE"), join(directory, "LICENSE"));
compile(join(directory, "dist"));
await nameAsBuilt(join(directory, "dist"));

/** Compiles each module to a separate file, so that bundlers drop the modules of unused routes. */
function compile(into: string): void {
  const compiler = join(root, "node_modules/typescript-7/bin/tsc");
  const { status, stdout } = spawnSync(compiler, ["--project", join(root, "client"), "--outDir", into], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The client could not be built:\n${stdout}`);
}

/** Fixes the imports in declarations, where the compiler keeps the names of the sources. */
async function nameAsBuilt(dist: string): Promise<void> {
  for await (const path of new Bun.Glob("**/*.d.ts").scan({ cwd: dist, absolute: true })) {
    const text = await Bun.file(path).text();
    await Bun.write(path, text.replaceAll(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'));
  }
}
