import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { bunPath } from "./bun.mjs";
import { install, root } from "./install.mjs";

install();

const modules = `${root}/node_modules`;
// These need a newer Node than this project requires, so Bun runs them.
const bun = [bunPath(), "--no-env-file"];
const cruised = ["src", "client", "test", "bench", "scripts"].filter((directory) => existsSync(`${root}/${directory}`));
const checks = {
  // With node_modules in place, a lockfile that a fresh clone can't install would go unnoticed.
  lockfile: ["npm", "ci", "--dry-run", "--ignore-scripts", "--loglevel=error"],
  "format and lint": [`${modules}/.bin/biome`, "ci", "--colors=off", "."],
  types: [`${modules}/typescript-7/bin/tsc`, "--project", root],
  "types of the bridge": [`${modules}/typescript-7/bin/tsc`, "--project", `${root}/src/hosts/content/bridge`],
  "types of pages": [`${modules}/typescript-7/bin/tsc`, "--project", `${root}/src/hosts/live/shell`],
  "types of the portal": [`${modules}/typescript-7/bin/tsc`, "--project", `${root}/src/portal`],
  "types of the client": [`${modules}/typescript-7/bin/tsc`, "--project", `${root}/client`, "--noEmit"],
  "length of files": [process.execPath, `${root}/scripts/file-length.mjs`],
  imports: [...bun, `${modules}/dependency-cruiser/bin/dependency-cruise.mjs`, ...cruised],
  "dead code": [...bun, `${modules}/knip/bin/knip.js`, "--no-progress", "--no-config-hints"],
  openapi: [...bun, `${root}/scripts/openapi.ts`, "--check"],
  "manual page": [...bun, `${root}/scripts/man.ts`, "--check"],
  "openapi rules": [...bun, `${root}/scripts/lint-openapi.ts`],
};

for (const [name, [command, ...args]] of Object.entries(checks)) {
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (status === 0) continue;
  console.log(error?.message ?? `${stdout}${stderr}`.trim());
  process.exitCode = 1;
}
