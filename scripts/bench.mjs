import { runBun } from "./bun.mjs";
import { install } from "./install.mjs";
import { setUpTests } from "./system-packages.mjs";

install();
setUpTests({ isEverything: true });
process.exitCode = await runBun(["bench/main.ts", ...process.argv.slice(2)]);
