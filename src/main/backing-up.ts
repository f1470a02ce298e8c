import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import type { BackupObserver, BackupSummary } from "../cli/backup.ts";
import { newId } from "../domain/model/codes.ts";
import { createBackup, type DatabaseCopy } from "../domain/operations/backup/backup.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import {
  type BackupPlace,
  databaseOf,
  type Environment,
  machine,
  openBackups,
  readBackupPlace,
  refuseOwnFiles,
  removeStaging,
  STAGING,
} from "./backup-places.ts";
import { requireDatabase } from "./existing.ts";
import { installationOf } from "./installation.ts";
import { openBlobs, openStore } from "./open.ts";
import { openSource } from "./places.ts";
import { clock, random, wait } from "./ports.ts";

interface BackupRequest {
  target: string;
  /** The number of newest backups to keep; undefined keeps all. */
  keep: number | undefined;
}

/** Backs up the installation that the settings name, also while servers use it. */
export async function backUp(
  { target, keep }: BackupRequest,
  observer: BackupObserver,
  environment: Environment,
): Promise<BackupSummary> {
  const settings = readSettings(environment);
  const place = readBackupPlace("The target", "TO_", target, environment);
  await requireDatabase(settings);
  await refuseOwnFiles(place, settings);
  const opened = await openBackups(place, { mayMake: true });
  const store = await openStore(settings);
  try {
    // The cache in the data directory belongs to the server.
    const blobs = await openBlobs({ ...settings, blobsCache: undefined });
    await (await installationOf(settings, { store, blobs })).requireMatch();
    const backup = createBackup({
      store,
      blobs,
      target: opened,
      clock,
      random,
      wait,
      machine,
      version: packageJson.version,
      readSecret: () => readSecret(settings),
      copyDatabase: (watched) => copyDatabase(settings, place, watched),
    });
    const { manifest, bytes, copiedBytes, problems, removed } = await backup.run(observer, keep);
    const { id, created_at: createdAt, objects } = manifest;
    return { id, createdAt, objects: objects.count, bytes, copiedBytes, problems, removed };
  } finally {
    await store.close();
  }
}

async function copyDatabase(
  settings: Settings,
  { directory }: BackupPlace,
  watched: { watchRows(rows: number, total: number): void; check(): void },
): Promise<DatabaseCopy> {
  const { copyIntoSqlite, copySqlite } = await import("../store/database-copies.ts");
  if (directory !== undefined) await removeStaging(directory);
  // Where the backup is kept, there is room for it.
  const staging = await mkdtemp(directory === undefined ? join(tmpdir(), "vitrine-backup-") : join(directory, STAGING));
  const remove = () => rm(staging, { recursive: true, force: true });
  try {
    const place = databaseOf(settings);
    const path = join(staging, "vitrine.db");
    const copy = "path" in place ? await copySqlite(place.path, path) : await copyFromServer(path);
    return { ...copy, remove: () => copy.remove().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }

  async function copyFromServer(path: string) {
    const source = await openSource(databaseOf(settings));
    return copyIntoSqlite(source, path, { run: newId(random, "run"), ...watched }).finally(source.close);
  }
}

/** Returns the secret in the data directory, or undefined if it is a setting or doesn't exist yet. */
async function readSecret({ secret, dataDir }: Settings): Promise<string | undefined> {
  if (secret !== undefined) return undefined;
  try {
    return await readFile(join(dataDir, "secret"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
