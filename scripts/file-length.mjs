import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { root } from "./install.mjs";

/** Fails if a module of the program has more lines than this. */
const MOST_LINES = 300;

const { stdout } = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "src"], {
  cwd: root,
  encoding: "utf8",
});
for (const path of stdout.split("\n").filter((name) => /\.tsx?$/.test(name))) {
  const lines = readFileSync(`${root}/${path}`, "utf8").split("\n").length - 1;
  if (lines <= MOST_LINES) continue;
  console.log(`${path} has ${lines} lines. Split it: ${MOST_LINES} is the limit.`);
  process.exitCode = 1;
}
