import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import type { VerifyObserver, VerifySummary } from "../cli/backup.ts";
import type { Blobs, MarkedBlobs } from "../domain/model/blobs.ts";
import { conflict } from "../domain/model/failure.ts";
import { chooseBackup, requireKnownSchema } from "../domain/operations/backup/restore.ts";
import { reporting, verifyBackupFiles, verifyObjects } from "../domain/operations/backup/verify.ts";
import type { PublishedObjects } from "../domain/operations/moving.ts";
import { readSettings } from "../settings/settings.ts";
import type { MovedDatabase } from "../store/engine/moving/copy.ts";
import { databaseOf, type Environment, openBackups, readBackupPlace } from "./backup-places.ts";
import { requireDatabase } from "./existing.ts";
import { openBlobs } from "./open.ts";
import { openSource } from "./places.ts";
import { random } from "./ports.ts";

interface VerifyRequest {
  /** The location of backups; undefined for the installation that the settings name. */
  source: string | undefined;
  /** The id of a backup, or `latest`. */
  backup: string;
  /** The share of the objects whose bytes are compared, from 0 to 1. */
  share: number;
}

/** Checks an installation, also while servers use it, or a backup. */
export async function verify(
  { source, backup, share }: VerifyRequest,
  observer: VerifyObserver,
  environment: Environment,
): Promise<VerifySummary> {
  return source === undefined
    ? verifyInstallation(share, observer, environment)
    : verifyBackup({ source, backup, share }, observer, environment);
}

async function verifyInstallation(
  share: number,
  observer: VerifyObserver,
  environment: Environment,
): Promise<VerifySummary> {
  const settings = readSettings(environment);
  await requireDatabase(settings);
  const { listPublished } = await import("../store/operations/published.ts");
  const source = await openSource(databaseOf(settings));
  try {
    // The cache in the data directory belongs to the server, and it isn't what has to be checked.
    const blobs = await openBlobs({ ...settings, blobsCache: undefined });
    await source.snapshot((database) => checkRows({ ...source, database }, observer));
    await checkInstallation(source, blobs, observer);
    // Outside of the snapshot, which would keep the database from tidying up for as long as this takes.
    const published = listPublished(source.database, { isSortedByCodePoint: settings.databaseUrl === undefined });
    const { objects, bytes } = await checkObjects({ blobs, published, share }, observer);
    return { backup: null, objects, bytes };
  } finally {
    await source.close();
  }
}

async function checkRows({ database, differences }: MovedDatabase, { report, note }: VerifyObserver): Promise<void> {
  const [{ checkDatabase }, { hasNewestSchema }] = await Promise.all([
    import("../store/operations/checks.ts"),
    import("../store/engine/moving/copy.ts"),
  ]);
  if (!(await hasNewestSchema(database))) {
    throw conflict("The database was last used by another version of Vitrine. Verify it with that version.");
  }
  note("Checking the database.");
  await checkDatabase(database, differences, report);
}

async function checkInstallation({ database }: MovedDatabase, blobs: MarkedBlobs, { report }: VerifyObserver) {
  const { findInstallation } = await import("../store/operations/installation.ts");
  const [ofDatabase, ofBlobs] = [await findInstallation(database), await blobs.installation.read()];
  if (ofDatabase === ofBlobs) return;
  report({
    part: "installation",
    message: `The database belongs to installation ${ofDatabase ?? "none"}, but the published files to ${ofBlobs ?? "none"}.`,
  });
}

const checkObjects = (
  checked: { blobs: Blobs; published: PublishedObjects; share: number },
  { report, watchObjects, isStopped }: VerifyObserver,
) =>
  verifyObjects({ ...checked, random, isLiving: checked.published.isLiving, report, watch: watchObjects, isStopped });

async function verifyBackup(
  { source, backup, share }: VerifyRequest & { source: string },
  observer: VerifyObserver,
  environment: Environment,
): Promise<VerifySummary> {
  const { report } = observer;
  const target = await openBackups(readBackupPlace("The source", "FROM_", source, environment), { mayMake: false });
  const { files, objects: blobs } = target;
  const { NEWEST_SCHEMA, openCopy } = await import("../store/database-copies.ts");
  const manifest = await reporting(report, () => chooseBackup(target, backup));
  if (manifest === undefined) return { backup, objects: 0, bytes: 0 };
  requireKnownSchema(manifest, NEWEST_SCHEMA, packageJson.version);
  const staging = await mkdtemp(join(tmpdir(), "vitrine-verify-"));
  try {
    const path = join(staging, "vitrine.db");
    const isWhole = await reporting(report, async () => {
      await files.fetch(manifest.database, path);
      return true;
    });
    if (isWhole !== true) return { backup: manifest.id, objects: 0, bytes: 0 };
    const copy = await openCopy(path);
    try {
      await checkRows(copy.database, observer);
      await checkInstallation(copy.database, blobs, observer);
      const { list, objects, bytes } = await checkObjects({ blobs, published: copy.published, share }, observer);
      await verifyBackupFiles(files, manifest, list, report);
      return { backup: manifest.id, objects, bytes };
    } finally {
      await copy.remove();
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
