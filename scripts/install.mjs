import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** npm writes node_modules/.package-lock.json last, so it describes a finished install. */
function isUpToDate(directory) {
  let wanted;
  let installed;
  try {
    wanted = JSON.parse(readFileSync(`${directory}/package-lock.json`, "utf8")).packages;
    installed = JSON.parse(readFileSync(`${directory}/node_modules/.package-lock.json`, "utf8")).packages;
  } catch {
    return false;
  }
  const matches = ([path, entry]) =>
    path === "" ||
    (installed[path]
      ? installed[path].version === entry.version && installed[path].integrity === entry.integrity
      : entry.optional === true);
  return Object.entries(wanted).every(matches) && Object.keys(installed).every((path) => path in wanted);
}

/** Makes a directory's node_modules match its package-lock.json. Returns why it can't, or undefined. */
export function tryInstall(directory, what, limits = {}) {
  if (isUpToDate(directory)) return undefined;
  console.error(`Installing ${what}…`);
  const npm = spawnSync(
    "npm",
    ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: directory,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      ...limits,
    },
  );
  return npm.status === 0 ? undefined : `npm ci failed\n${npm.error?.message ?? npm.stdout + npm.stderr}`;
}

/** Makes node_modules match package-lock.json, and exits if npm fails. */
export function install() {
  const reason = tryInstall(root, "dependencies");
  if (reason === undefined) return;
  console.error(reason);
  process.exit(1);
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) install();
