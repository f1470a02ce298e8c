import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { R } from "../../src/hosts/app/downloads/r-package.ts";
import { PYTHON } from "../../src/hosts/app/downloads/wheel.ts";
import { bundlePortal, filesOf } from "../../src/hosts/app/portal/bundle.ts";
import { openPortal } from "../../src/hosts/app/portal/files.ts";
import { ASSETS, MANIFEST, PORTAL } from "../../src/hosts/app/portal/places.ts";
import { EXAMPLES } from "../../src/hosts/app/publishing/sample-files.ts";
import { EMBEDDED } from "../../src/hosts/http/embedded.ts";
import { CLI_PACKAGE } from "../../src/main/cli-package.ts";
import { packCli } from "./cli-package.ts";
import { ROOT } from "./commands.ts";
import { buildFrameCode } from "./frame-code.ts";
import { fetchRuntime } from "./runtimes.ts";

const SOURCES = join(ROOT, "src");

/** A target of Bun, such as `bun-linux-arm64`. */
export type Target = Bun.Build.CompileTarget;

/** `fetchRuntime` checks the rest of the name and lists the targets. */
export const isTarget = (target: string): target is Target => target.startsWith("bun-");

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

/** Builds a self-contained executable, by default for this machine. Returns what Bun tells about the modules in it. */
export async function buildExecutable(outfile: string, target?: Target): Promise<Bun.BuildMetafile> {
  await mkdir(dirname(outfile), { recursive: true });
  // In the same directory, so that a rename replaces the executable atomically.
  const making = await mkdtemp(join(dirname(outfile), "making-"));
  try {
    const embedded = join(making, EMBEDDED);
    await embedPortal(join(embedded, PORTAL));
    await cp(join(ROOT, EXAMPLES), join(embedded, EXAMPLES), { recursive: true });
    await cp(join(ROOT, PYTHON), join(embedded, PYTHON), { recursive: true, filter: isPythonSource });
    await cp(join(ROOT, R), join(embedded, R), { recursive: true });
    await rename(join(making, await packCli(making)), await prepareFile(join(embedded, CLI_PACKAGE)));
    const assets = await separate(embedded, join(making, "assets"));
    const metafile = await compile(join(making, "vitrine"), assets, target);
    await rename(join(making, "vitrine"), outfile);
    return metafile;
  } finally {
    await rm(making, { recursive: true });
  }
}

/**
 * Moves each file to a separate directory, and returns these in the order of the files' names. Bun embeds the files of one directory
 * in the file system's order, which differs from machine to machine.
 */
async function separate(embedded: string, target: string): Promise<string[]> {
  const paths = await Array.fromAsync(new Bun.Glob("**/*").scan({ cwd: embedded, dot: true }));
  return Promise.all(
    paths.sort().map(async (path, index) => {
      const directory = join(target, String(index), EMBEDDED);
      await rename(join(embedded, path), await prepareFile(join(directory, path)));
      return directory;
    }),
  );
}

/** Creates the directory of a file. */
async function prepareFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  return path;
}

/** Python leaves compiled modules beside the sources. */
const isPythonSource = (path: string) => !path.endsWith("__pycache__");

/** Copies the files of this build without those of earlier ones. */
async function embedPortal(directory: string): Promise<void> {
  const place = await bundlePortal({ buildShell: buildFrameCode, hasDesign: false, note: console.error });
  const { manifest } = await openPortal(place);
  await mkdir(join(directory, ASSETS), { recursive: true });
  await cp(place.manifest, join(directory, MANIFEST));
  for (const name of filesOf(manifest)) await cp(join(place.assets, name), join(directory, ASSETS, name));
}

async function compile(outfile: string, assets: string[], target: Target | undefined): Promise<Bun.BuildMetafile> {
  const workers = await Array.fromAsync(new Bun.Glob("**/*-worker.ts").scan(SOURCES));
  const { metafile } = await Bun.build({
    entrypoints: ["main.ts", ...workers.sort()].map((path) => join(SOURCES, path)),
    root: SOURCES,
    target: "bun",
    format: "esm",
    minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
    // Precompiled, it starts in half the time.
    bytecode: true,
    // A command reads only the chunks that it needs, and starts in half the time again.
    splitting: true,
    // For source positions in the log.
    sourcemap: "inline",
    plugins: [workerAddresses],
    metafile: true,
    compile: {
      outfile,
      assets,
      // Files in the caller's directory must not configure the program.
      autoloadDotenv: false,
      autoloadBunfig: false,
      // Bun would download it without comparing it to package-lock.json.
      ...(target === undefined ? {} : { target, executablePath: await fetchRuntime(target) }),
    },
  });
  if (metafile === undefined) throw new Error("Bun doesn't tell which modules are in the executable.");
  return metafile;
}
