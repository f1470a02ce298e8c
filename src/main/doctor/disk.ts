import { access, constants, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../cli/doctor.ts";
import type { Settings } from "../../settings/settings.ts";
import { inUnits, ok, problem, warning } from "./findings.ts";

/** Permissions for anyone but the owner. */
const OTHERS = 0o077;
/** How often the reserve should fit into the free space. */
const COMFORT = 5;
const FILES = ["vitrine.db", "vitrine.db-wal", "vitrine.db-shm", "secret", "blobs"];
const DIRECTORY = "data directory";

/** Checks the owner, the permissions and the free space of the data directory. */
export async function* examineDisk(settings: Settings): AsyncGenerator<Finding> {
  const { dataDir } = settings;
  const found = await stat(dataDir).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    yield problem(
      DIRECTORY,
      `"${dataDir}" ${found === undefined ? "doesn't exist" : "isn't a directory"}.`,
      "Set VITRINE_DATA_DIR to the server's data directory, or run vitrine serve to create a new one.",
    );
    return;
  }
  yield* examineOwner(dataDir, found.uid);
  yield examineMode(dataDir, found.mode);
  yield await examineSpace(settings);
  yield* examineSecret(settings);
}

async function* examineOwner(dataDir: string, uid: number): AsyncGenerator<Finding> {
  const own = process.getuid?.();
  const foreign: string[] = [];
  for (const name of FILES) {
    const file = await stat(join(dataDir, name)).catch(() => undefined);
    if (file !== undefined && file.uid !== uid) foreign.push(name);
  }
  if (foreign.length > 0) {
    yield problem(
      DIRECTORY,
      `${foreign.join(", ")} in "${dataDir}" belong to another user than the directory.`,
      `Change the owner: chown -R ${uid} "${dataDir}"`,
    );
  }
  if (own !== undefined && own !== uid) {
    yield warning(
      DIRECTORY,
      `"${dataDir}" belongs to the user with the ID ${uid}, but this command runs with the ID ${own}.`,
      `Run commands as the server's user: sudo -u '#${uid}' vitrine doctor`,
    );
  }
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    yield ok(DIRECTORY, `"${dataDir}" can be read and written.`);
  } catch {
    yield problem(
      DIRECTORY,
      `This user may not read and write "${dataDir}".`,
      "Run this command as the server's user, or change the owner of the directory.",
    );
  }
}

function examineMode(dataDir: string, mode: number): Finding {
  const shown = (mode & 0o777).toString(8);
  if ((mode & OTHERS) === 0) return ok(DIRECTORY, `Only its owner has access (mode ${shown}).`);
  return warning(DIRECTORY, `Other users have access to "${dataDir}" (mode ${shown}).`, `chmod 700 "${dataDir}"`);
}

async function examineSpace({ dataDir, diskReserve }: Settings): Promise<Finding> {
  const { bavail, bsize, blocks } = await statfs(dataDir);
  const free = bavail * bsize;
  const detail = `${inUnits(free)} of ${inUnits(blocks * bsize)} are free.`;
  if (free <= diskReserve) {
    return problem(
      "disk space",
      `${detail} Uploads are refused below ${inUnits(diskReserve)} (VITRINE_DISK_RESERVE).`,
      "Free up space on this disk. To see who uses it, run vitrine workspaces list --by storage.",
    );
  }
  if (free > diskReserve * COMFORT) return ok("disk space", detail);
  return warning("disk space", detail, "Free up space soon. Uploads are refused when the disk is nearly full.");
}

async function* examineSecret({ dataDir, secret, databaseUrl }: Settings): AsyncGenerator<Finding> {
  if (secret !== undefined) {
    yield ok("secret", "VITRINE_SECRET is set.");
    return;
  }
  const path = join(dataDir, "secret");
  try {
    const { mode } = await stat(path);
    if ((mode & OTHERS) === 0) yield ok("secret", "It is in the data directory, and only its owner can read it.");
    else yield problem("secret", `Other users can read "${path}", which signs sessions.`, `chmod 600 "${path}"`);
  } catch {
    yield warning(
      "secret",
      `"${path}" doesn't exist.`,
      "The next start of the server creates it, and everyone has to sign in again.",
    );
  }
  if (databaseUrl !== undefined) {
    yield warning(
      "secret",
      "It is different on each replica, because it is in the data directory.",
      "With several replicas, set VITRINE_SECRET to the same value on all of them.",
    );
  }
}
