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

/** Bun checks the rest of the name and lists the targets. */
const isTarget = (target: string): target is Bun.Build.CompileTarget => target.startsWith("bun-");

/** Rewrites the URLs of workers, which are separate entries in directories as in src/. */
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

/** Builds a self-contained executable for a target of Bun, or for this machine. */
async function buildExecutable(outfile: string, target: Bun.Build.CompileTarget | undefined): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  // In the same directory, so that a rename replaces the executable atomically.
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

/** Copies the files of this build without those of earlier ones. */
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
    // Precompiled, it starts in half the time.
    bytecode: true,
    // For source positions in the log.
    sourcemap: "inline",
    plugins: [workerAddresses],
    compile: {
      outfile,
      assets: [embedded],
      // Files in the caller's directory must not configure the program.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target }),
    },
  });
}

const { values } = parseArgs({ options: { target: { type: "string" }, outfile: { type: "string" } } });
const { target } = values;
if (target !== undefined && !isTarget(target)) {
  console.error(`--target must be a Bun target such as bun-linux-arm64, not "${target}".`);
  process.exit(2);
}
const name = target === undefined ? "vitrine" : target.replace("bun", "vitrine");
const outfile = resolve(ROOT, values.outfile ?? join("build", name));
await buildExecutable(outfile, target);
console.log(`${relative(process.cwd(), outfile)} (${Math.round(Bun.file(outfile).size / 1e6)} MB)`);
