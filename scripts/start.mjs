import { run, runBun } from "./bun.mjs";
import { install, root } from "./install.mjs";

install();
process.exitCode =
  (await runBun([`${root}/scripts/portal.ts`])) ||
  (await run(`${root}/bin/vitrine`, ["serve", ...process.argv.slice(2)]));
