import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** npm writes node_modules/.package-lock.json last, so it describes a finished install. */
function isUpToDate() {
  let wanted;
  let installed;
  try {
    wanted = JSON.parse(readFileSync(`${root}/package-lock.json`, "utf8")).packages;
    installed = JSON.parse(readFileSync(`${root}/node_modules/.package-lock.json`, "utf8")).packages;
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

/** Makes node_modules match package-lock.json, and exits if npm fails. */
export function install() {
  if (isUpToDate()) return;
  console.error("Installing dependencies…");
  const npm = spawnSync("npm", ["ci", "--include=dev", "--ignore-scripts", "--loglevel=error"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (npm.status === 0) return;
  console.error(`npm ci failed\n${npm.error?.message ?? npm.stdout + npm.stderr}`);
  process.exit(1);
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) install();
