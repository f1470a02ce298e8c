import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundlePortal, filesOf } from "../src/hosts/app/portal/bundle.ts";
import { openPortal } from "../src/hosts/app/portal/files.ts";
import { ASSETS, MANIFEST, PORTAL } from "../src/hosts/app/portal/places.ts";
import { EMBEDDED } from "../src/hosts/http/embedded.ts";
import { buildShellCode } from "../src/hosts/live/shell-code.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SOURCES = join(ROOT, "src");

/** Of which kind it is Bun finds out, and says what there is. */
const isTarget = (target: string): target is Bun.Build.CompileTarget => target.startsWith("bun-");

/** A worker is an entry of its own, in a directory as in src/, seen from where all other code has become one file. */
const workerAddresses: Bun.BunPlugin = {
  name: "worker-addresses",
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const directory = relative(SOURCES, dirname(path));
      const contents = (await readFile(path, "utf8")).replace(
        /new URL\("\.\/([\w-]+-worker)\.ts", import\.meta\.url\)/g,
        (_, name: string) => `new URL("./${directory}/${name}.js", import.meta.url)`,
      );
      return { contents, loader: "ts" };
    });
  },
};

/** Makes one executable that needs nothing beside it; `target` as Bun names it, or undefined for this machine's. */
async function buildExecutable(outfile: string, target: Bun.Build.CompileTarget | undefined): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  // Beside what it becomes, so that it takes its place in one step and as a whole.
  const making = await mkdtemp(join(dirname(outfile), "making-"));
  try {
    const embedded = join(making, EMBEDDED);
    await embedPortal(join(embedded, PORTAL));
    await compile(join(making, "vitrine"), embedded, target);
    await rename(join(making, "vitrine"), outfile);
  } finally {
    await rm(making, { recursive: true });
  }
}

/** Copies this build's files, and none of the earlier builds beside them. */
async function embedPortal(directory: string): Promise<void> {
  const place = await bundlePortal({ buildShell: buildShellCode, note: console.error });
  const { manifest } = await openPortal(place);
  await mkdir(join(directory, ASSETS), { recursive: true });
  await cp(place.manifest, join(directory, MANIFEST));
  for (const name of filesOf(manifest)) await cp(join(place.assets, name), join(directory, ASSETS, name));
}

async function compile(outfile: string, embedded: string, target: Bun.Build.CompileTarget | undefined): Promise<void> {
  const workers = await Array.fromAsync(new Bun.Glob("**/*-worker.ts").scan(SOURCES));
  await Bun.build({
    entrypoints: ["main.ts", ...workers.sort()].map((path) => join(SOURCES, path)),
    root: SOURCES,
    target: "bun",
    format: "esm",
    minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
    // Compiled beforehand: it starts in half the time.
    bytecode: true,
    // So that the log says where in the sources an error came from.
    sourcemap: "inline",
    plugins: [workerAddresses],
    compile: {
      outfile,
      assets: [embedded],
      // The caller's directory must not steer the program.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target }),
    },
  });
}

const { values } = parseArgs({ options: { target: { type: "string" }, outfile: { type: "string" } } });
const { target } = values;
if (target !== undefined && !isTarget(target)) {
  console.error(`--target must be one such as bun-linux-arm64, not "${target}".`);
  process.exit(2);
}
const name = target === undefined ? "vitrine" : target.replace("bun", "vitrine");
const outfile = resolve(ROOT, values.outfile ?? join("build", name));
await buildExecutable(outfile, target);
console.log(`${relative(process.cwd(), outfile)} (${Math.round(Bun.file(outfile).size / 1e6)} MB)`);
