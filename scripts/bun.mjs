import { spawn } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { install, root } from "./install.mjs";

const hasGlibc = () =>
  ["/lib64", "/lib"].some(
    (folder) => existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("ld-linux-")),
  );

/** The Bun binary, chosen as bin/vitrine does. node_modules/.bin/bun is a placeholder if npm runs no install scripts. */
export function bunPath() {
  const vendor = `${root}/node_modules/@oven`;
  const names = existsSync(vendor) ? readdirSync(vendor).toSorted().toReversed() : [];
  // Older npm installs the programs for both C libraries.
  const fitting = names.filter((name) => !(name.endsWith("-musl") && hasGlibc()));
  return (
    fitting.map((name) => `${vendor}/${name}/bin/bun`).find((path) => existsSync(path)) ??
    `${root}/node_modules/bun/bin/bun.exe`
  );
}

/** Runs a command in the foreground, passes signals on to it, and resolves to the exit code a shell would report. */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: "inherit", ...options });
  options.onSpawn?.(child);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole process group, so the child already has it.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** Runs Bun in the project's root. */
export const runBun = (args, options) => run(bunPath(), ["--no-env-file", ...args], { cwd: root, ...options });

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  install();
  process.exitCode = await runBun(process.argv.slice(2));
}
