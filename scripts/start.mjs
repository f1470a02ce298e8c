import { run } from "./bun.mjs";
import { install, root } from "./install.mjs";

install();
process.exitCode = await run(`${root}/bin/vitrine`, ["serve", ...process.argv.slice(2)]);
