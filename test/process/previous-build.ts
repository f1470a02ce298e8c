import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import previous from "../fixtures/upgrade/previous.json";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const { commit, version } = previous;

const git = (...args: readonly string[]) => spawnSync("git", ["-C", ROOT, ...args], { maxBuffer: 2 ** 28 });

/** The version that `unpackPreviousBuild` unpacks. */
export const PREVIOUS_VERSION = version;

/** Returns why the previous build can't be had here, or undefined. */
export function previousBuildUnavailable(): string | undefined {
  if (!existsSync(join(ROOT, ".git"))) return "the history is missing: this isn't a clone";
  if (git("cat-file", "-e", `${commit}^{commit}`).status === 0) return undefined;
  return `the history has no commit ${commit.slice(0, 7)}: fetch it, for example with git fetch --unshallow`;
}

/** Unpacks the previous build into a new directory, with today's packages. Returns the path of its program. */
export async function unpackPreviousBuild(directory: string): Promise<string> {
  const unavailable = previousBuildUnavailable();
  if (unavailable !== undefined) throw new Error(unavailable);
  await mkdir(directory);
  const archive = git("archive", "--format=tar", commit);
  const unpacked = spawnSync("tar", ["-x", "-C", directory], { input: archive.stdout });
  if (archive.status !== 0 || unpacked.status !== 0) {
    throw new Error(`The previous build can't be unpacked: ${archive.stderr}${unpacked.stderr}`);
  }
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return join(directory, "bin/vitrine");
}
