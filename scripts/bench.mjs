import { runBun } from "./bun.mjs";
import { install } from "./install.mjs";
import { setUpTests } from "./system-packages.mjs";

install();
if (!process.argv.includes("--help")) setUpTests({ isEverything: true });
process.exitCode = await runBun(["bench/main.ts", ...process.argv.slice(2)]);
