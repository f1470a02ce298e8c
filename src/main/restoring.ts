import { mkdir, readdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import packageJson from "../../package.json";
import type { BackupList, BackupObserver, RestoreSummary } from "../cli/backup.ts";
import { syncDirectory, writeSynced } from "../disk/synced-files.ts";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { newId } from "../domain/model/codes.ts";
import { conflict } from "../domain/model/failure.ts";
import { sizeOfBackup, takeInventory } from "../domain/operations/backup/manifest.ts";
import { createRestore, type RestorePlace } from "../domain/operations/backup/restore.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { databaseOf, type Environment, openBackups, readBackupPlace } from "./backup-places.ts";
import { RESTORE_MARK, readUnfinishedRestore, refuse } from "./open.ts";
import { isServed, openBlobPlace, openTarget } from "./places.ts";
import { random } from "./ports.ts";

/** The database while it is being restored. */
const RESTORING = "restoring.db";
/** Entries of an empty data directory. */
const EMPTY = ["lost+found", "blobs"];

/** Lists the backups at a location. */
export async function listBackups(source: string, environment: Environment): Promise<BackupList> {
  const place = readBackupPlace("The source", "FROM_", source, environment);
  const { files } = await openBackups(place, { mayMake: false });
  const { complete, unfinished, damaged } = await takeInventory(files);
  const backups = complete.map((manifest) => ({
    id: manifest.id,
    createdAt: manifest.created_at,
    version: manifest.vitrine,
    objects: manifest.objects.count,
    bytes: sizeOfBackup(manifest),
    damaged: manifest.damaged.length,
  }));
  return { backups, unfinished, damaged };
}

interface RestoreRequest {
  source: string;
  /** The id of a backup, or `latest`. */
  backup: string;
  skipsDamaged: boolean;
}

/** Restores a backup into the empty place that the settings name. */
export async function restore(
  { source, ...wanted }: RestoreRequest,
  observer: BackupObserver,
  environment: Environment,
): Promise<RestoreSummary> {
  const settings = readSettings(environment);
  const place = readBackupPlace("The source", "FROM_", source, environment);
  const opened = await openBackups(place, { mayMake: false });
  const { NEWEST_SCHEMA } = await import("../store/database-copies.ts");
  const { s3, dataDir } = settings;
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error) => refuse("VITRINE_DATA_DIR", error));
  const blobs = await openBlobPlace(
    s3 === undefined
      ? { option: "VITRINE_DATA_DIR", root: join(dataDir, "blobs") }
      : { option: "VITRINE_BLOBS_URL", s3 },
    { mayMake: true },
  );
  const operation = createRestore({
    source: opened,
    blobs,
    place: placeOf(settings, blobs),
    schema: NEWEST_SCHEMA,
    version: packageJson.version,
  });
  const { manifest, problems } = await operation.run(observer, wanted);
  const { id, created_at: createdAt, objects, secret } = manifest;
  const needsSecret = secret === null && settings.secret === undefined;
  return { id, createdAt, objects: objects.count, bytes: objects.bytes, needsSecret, problems };
}

/** Returns the place that the settings name. */
function placeOf(settings: Settings, blobs: MarkedBlobs): RestorePlace {
  const { dataDir, databaseUrl } = settings;
  const mark = join(dataDir, RESTORE_MARK);
  const restoring = join(dataDir, RESTORING);
  const run = newId(random, "run");

  async function requireEmpty(): Promise<void> {
    const [entry] = (await readdir(dataDir)).filter((name) => !EMPTY.includes(name));
    if (entry !== undefined) throw notEmpty(`VITRINE_DATA_DIR "${dataDir}" contains ${entry}`);
    for await (const { key } of blobs.list()) {
      throw notEmpty(`The file storage contains the object ${key}`);
    }
    if (databaseUrl === undefined) return;
    const place = databaseOf(settings);
    if (await isServed(place)) throw conflict("A server is using the database. Stop it, then restore.");
    const target = await openTarget(place);
    const [{ refuseData }, { MOVED_TABLES }] = await Promise.all([
      import("../store/engine/moving/copy.ts"),
      import("../store/moved-tables.ts"),
    ]);
    await refuseData(target, MOVED_TABLES).finally(target.close);
  }

  return {
    readUnfinished: () => readUnfinishedRestore(settings),
    async begin(backup) {
      await requireEmpty();
      await writeSynced(mark, JSON.stringify({ backup }));
      await syncDirectory(dataDir);
    },
    async openDatabase(fetch) {
      const { openCopy } = await import("../store/database-copies.ts");
      for (const suffix of ["", "-wal", "-shm", "-journal"]) await rm(`${restoring}${suffix}`, { force: true });
      await fetch(restoring);
      return openCopy(restoring);
    },
    async placeDatabase(_, observer) {
      if (databaseUrl === undefined) {
        await rename(restoring, join(dataDir, "vitrine.db"));
        return syncDirectory(dataDir);
      }
      const { copyFromSqlite } = await import("../store/database-copies.ts");
      const target = await openTarget(databaseOf(settings));
      await copyFromSqlite(restoring, target, { run, ...observer }).finally(target.close);
    },
    async writeSecret(secret) {
      const path = join(dataDir, "secret");
      await rm(`${path}.new`, { force: true });
      await writeSynced(`${path}.new`, secret);
      await rename(`${path}.new`, path);
      await syncDirectory(dataDir);
    },
    async finish() {
      await unlink(mark);
      await syncDirectory(dataDir);
    },
  };
}

const notEmpty = (fact: string) => conflict(`${fact}. Restore into an empty place.`);
