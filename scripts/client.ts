import { spawnSync } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = process.argv[2] ?? join(root, "build/client");

/** Makes the package of the typed client, ready to be packed, in build/client or where the argument says. */
await rm(directory, { recursive: true, force: true });
for (const name of ["package.json", "README.md"]) await cp(join(root, "client", name), join(directory, name));
await cp(join(root, "LICENSE"), join(directory, "LICENSE"));
await Bun.build({
  entrypoints: [join(root, "client/index.ts")],
  outdir: join(directory, "dist"),
  // Nothing in it is for one kind of program alone.
  target: "browser",
  packages: "external",
});
declareTypes(join(directory, "dist/types"));
await nameAsBuilt(join(directory, "dist/types"));

function declareTypes(into: string): void {
  const compiler = join(root, "node_modules/typescript-7/bin/tsc");
  const { status, stdout } = spawnSync(compiler, ["--project", join(root, "client"), "--outDir", into], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The types could not be made:\n${stdout}`);
}

/** The compiler leaves the names of the sources in declarations, which are not there. */
async function nameAsBuilt(types: string): Promise<void> {
  for await (const path of new Bun.Glob("**/*.d.ts").scan({ cwd: types, absolute: true })) {
    const text = await Bun.file(path).text();
    await Bun.write(path, text.replaceAll(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'));
  }
}
