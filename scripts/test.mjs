import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { runBun } from "./bun.mjs";
import { install } from "./install.mjs";
import { installSystemPackages } from "./system-packages.mjs";

install();
installSystemPackages();

// Bun reports on stderr and closes with lines such as " 12 pass". Its JUnit file leaves out test files that do not load.
let tail = "";
let closed;
const args = process.argv.slice(2);
let exitCode = await runBun(["test", "--timeout=60000", ...(args.length > 0 ? args : ["./test"])], {
  stdio: ["ignore", "inherit", "pipe"],
  onSpawn({ stderr }) {
    stderr.on("data", (chunk) => {
      process.stderr.write(chunk);
      tail = (tail + chunk).slice(-4096);
    });
    closed = once(stderr, "close");
  },
});
// A process that a test left behind may hold the pipe open for ever.
await Promise.race([closed, setTimeout(1000)]);

const count = (word) => {
  const [last] = [...stripVTControlCharacters(tail).matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].slice(-1);
  return Number(last?.[1] ?? 0);
};
const passed = count("pass");
const skipped = count("skip") + count("todo");
let failed = count("fail");
if (passed + failed === 0) exitCode ||= 1;
if (exitCode !== 0) failed ||= 1;

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(exitCode);
