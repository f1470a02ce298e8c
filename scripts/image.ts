import { mkdir } from "node:fs/promises";
import { arch } from "node:os";
import { join } from "node:path";
import { failWithHelp, readCommandLine } from "./building/command-line.ts";
import { ROOT } from "./building/commands.ts";
import { buildExecutable } from "./building/executable.ts";
import { ARCHITECTURES, type Architecture, buildImage, requireImageTools } from "./building/image.ts";
import { readSource } from "./building/source.ts";

const HELP = `Usage: npm run image -- [options]

Builds the container image in build/image/, as root on Debian.

  --arch <architecture>   ${Object.keys(ARCHITECTURES).join(" or ")} (default: this machine's)
`;

const isArchitecture = (name: string): name is Architecture => Object.hasOwn(ARCHITECTURES, name);

const { values } = readCommandLine(HELP, { options: { arch: { type: "string", default: arch() } } });
if (!isArchitecture(values.arch))
  failWithHelp(`--arch must be ${Object.keys(ARCHITECTURES).join(" or ")}, not "${values.arch}".`, HELP);
await requireImageTools();
const architecture = values.arch;
const source = await readSource();
const directory = join(ROOT, "build/image");
await mkdir(directory, { recursive: true });
const executable = join(directory, `vitrine-linux-${architecture}`);
const metafile = await buildExecutable(executable, `bun-linux-${architecture}`);
const name = `vitrine-${source.version}-image-linux-${architecture}`;
const outfile = join(directory, `${name}.tar`);
const sbomFile = join(directory, `${name}.cdx.json`);
const { files, compressed } = await buildImage({ architecture, executable, metafile, source, outfile, sbomFile });
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(`${outfile} (${megabytes(files)}, ${megabytes(compressed)} to download)`);
