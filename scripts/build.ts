import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./building/commands.ts";
import { buildExecutable, isTarget } from "./building/executable.ts";

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
