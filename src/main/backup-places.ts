import { existsSync } from "node:fs";
import { mkdir, readdir, realpath, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { BackupTarget } from "../domain/operations/backup/backup.ts";
import type { Machine } from "../domain/operations/backup/lock.ts";
import { readS3Option } from "../settings/s3.ts";
import { SettingError } from "../settings/setting-error.ts";
import type { Settings } from "../settings/settings.ts";
import { refuse } from "./open.ts";
import { type BlobPlace, type DatabasePlace, nameBlobs, openBlobPlace, readPath } from "./places.ts";
import { random } from "./ports.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const OBJECTS = "objects";
/** Begins the names of the directories in which a backup prepares its files. */
export const STAGING = ".staging-";

/** The location of the backups, and the name of the option or setting that gives it. */
export interface BackupPlace {
  option: string;
  /** The location of the objects of all backups. */
  objects: BlobPlace;
  /** Undefined in a bucket. */
  directory: string | undefined;
}

/** Parses a directory or an S3 address. Throws `SettingError`. */
export function readBackupPlace(
  option: string,
  own: "FROM_" | "TO_",
  text: string,
  environment: Environment,
): BackupPlace {
  if (text.startsWith("s3:")) {
    const s3 = readS3Option(option, own, text, environment);
    return { option, objects: { option, s3: { ...s3, prefix: `${s3.prefix}${OBJECTS}/` } }, directory: undefined };
  }
  const directory = readPath(option, text, "a directory or s3://…");
  return { option, objects: { option, root: join(directory, OBJECTS) }, directory };
}

/** Returns a text that identifies a location, without credentials. */
const nameBackups = async ({ objects }: BackupPlace): Promise<string> =>
  (await nameBlobs(objects)).replace(/\/objects\/?$/, "");

/** Opens the location of backups. Creates a missing directory if `mayMake`, otherwise throws. */
export async function openBackups(place: BackupPlace, { mayMake }: { mayMake: boolean }): Promise<BackupTarget> {
  const { objects, directory, option } = place;
  const isMissing = !mayMake && directory !== undefined && !existsSync(join(directory, OBJECTS));
  if (isMissing) throw new SettingError(`${option} cannot be used: there are no backups in ${directory}.`);
  if (mayMake && directory !== undefined) await makeEmpty(place, directory);
  const blobs = await openBlobPlace(objects, { mayMake });
  return { name: await nameBackups(place), files: await openFiles(place), objects: blobs };
}

/** Creates a missing directory. Throws `SettingError` for one that has other files, before anything is written to it. */
async function makeEmpty({ option }: BackupPlace, directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const names = (await readdir(directory)).filter((name) => name !== "lost+found");
    if (names.length === 0 || names.includes(OBJECTS)) return;
    throw new Error(`${directory} contains other files. Choose an empty directory for backups.`);
  } catch (error) {
    await refuse(option, error);
  }
}

async function openFiles({ objects, directory }: BackupPlace) {
  if (directory !== undefined) {
    const { createDirectoryFiles } = await import("../blobs/backup-files-fs.ts");
    return createDirectoryFiles(directory);
  }
  if (!("s3" in objects)) throw new Error("Backups are in a directory or in a bucket.");
  const { createBucketFiles } = await import("../blobs/backup-files-s3.ts");
  const { s3 } = objects;
  return createBucketFiles({ ...s3, prefix: s3.prefix.slice(0, -`${OBJECTS}/`.length) }, random);
}

/** Deletes what interrupted backups have left in the directories in which they prepared their files. */
export async function removeStaging(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(STAGING)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Throws `SettingError` if backups would be written into the installation's own files. */
export async function refuseOwnFiles({ option, directory, objects }: BackupPlace, settings: Settings): Promise<void> {
  if (directory === undefined) {
    if (settings.s3 === undefined) return;
    const own = await nameBlobs({ option, s3: settings.s3 });
    if (own === (await nameBlobs(objects))) throw new SettingError(`${option} is the location of the published files.`);
    return;
  }
  const own = await realpath(settings.dataDir).catch(() => settings.dataDir);
  const target = await nameBlobs({ option, root: directory });
  if (`${target}/`.startsWith(`${own}/`)) {
    throw new SettingError(`${option} is in the data directory, which it must survive. Choose a location elsewhere.`);
  }
}

/** Returns the location of the database that the settings name. */
export const databaseOf = ({ databaseUrl, dataDir }: Settings): DatabasePlace =>
  databaseUrl === undefined
    ? { option: "VITRINE_DATA_DIR", path: join(dataDir, "vitrine.db") }
    : { option: "VITRINE_DATABASE_URL", url: databaseUrl };

/** This process, for others that find its lock. */
export const machine: Machine = {
  host: hostname(),
  pid: process.pid,
  isRunning(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // EPERM: it belongs to another user.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
};
