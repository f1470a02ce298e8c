import { join, relative, resolve } from "node:path";
import { failWithHelp, readCommandLine } from "./building/command-line.ts";
import { ROOT } from "./building/commands.ts";
import { buildExecutable, isTarget } from "./building/executable.ts";

const HELP = `Usage: npm run build -- [options]

Builds Vitrine as one executable, build/vitrine.

  --target <target>   the machine it runs on, such as bun-linux-arm64 (default: this one)
  --outfile <path>    where to write it
`;

const { values } = readCommandLine(HELP, {
  options: { target: { type: "string" }, outfile: { type: "string" } },
});
const { target } = values;
if (target !== undefined && !isTarget(target))
  failWithHelp(`--target must be a Bun target such as bun-linux-arm64, not "${target}".`, HELP);
const name = target === undefined ? "vitrine" : target.replace("bun", "vitrine");
const outfile = resolve(ROOT, values.outfile ?? join("build", name));
await buildExecutable(outfile, target);
console.log(`${relative(process.cwd(), outfile)} (${Math.round(Bun.file(outfile).size / 1e6)} MB)`);
