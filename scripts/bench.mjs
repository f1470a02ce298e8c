import { runBun } from "./bun.mjs";
import { install } from "./install.mjs";
import { installSystemPackages } from "./system-packages.mjs";

install();
installSystemPackages();
process.exitCode = await runBun(["bench/main.ts", ...process.argv.slice(2)]);
