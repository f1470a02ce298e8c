import type { MarkedBlobs } from "../../model/blobs.ts";
import { conflict, notFound } from "../../model/failure.ts";
import { quote } from "../../model/quote.ts";
import type { BackupObserver, BackupTarget, DatabaseCopy } from "./backup.ts";
import { Interrupted } from "./backup.ts";
import { fetchText, type Manifest, nameOf, sha256Of, takeInventory } from "./manifest.ts";
import { type CopiedObjects, copyNamedObjects, type ObjectProblem } from "./objects.ts";
import { DamagedBackup } from "./ports.ts";

/** The place that an installation is restored into. */
export interface RestorePlace {
  /** Returns the id of the backup whose restore hasn't finished, or undefined. */
  readUnfinished(): Promise<string | undefined>;
  /** Records that a restore has begun, which keeps servers from starting. Throws `Conflict` if there is data already. */
  begin(backup: string): Promise<void>;
  /** Fetches a database into a local file, migrates it to the newest schema, and opens it. */
  openDatabase(fetch: (path: string) => Promise<void>): Promise<DatabaseCopy>;
  /** Makes the database the one of the installation. Resumes if it was interrupted. */
  placeDatabase(copy: DatabaseCopy, observer: Pick<BackupObserver, "watchRows"> & { check(): void }): Promise<void>;
  writeSecret(secret: string): Promise<void>;
  /** Records that the restore is complete, so that servers can start. */
  finish(): Promise<void>;
}

interface Dependencies {
  source: BackupTarget;
  blobs: MarkedBlobs;
  place: RestorePlace;
  /** The number of the newest migration that this program knows. */
  schema: number;
  version: string;
}

export interface Restored {
  manifest: Manifest;
  /** The objects that aren't restored. */
  problems: readonly ObjectProblem[];
}

/** Returns the backup with an id, or the newest. Throws `NotFound`, `Conflict` or `DamagedBackup`. */
export async function chooseBackup({ name, files }: BackupTarget, id: string): Promise<Manifest> {
  const { complete, unfinished, damaged } = await takeInventory(files);
  const broken = damaged.find((one) => one.id === id);
  if (broken !== undefined) throw new DamagedBackup(broken.problem);
  if (id !== "latest") {
    const found = complete.find((one) => one.id === id);
    if (found !== undefined) return found;
    if (unfinished.includes(id)) throw conflict(`The backup ${id} was interrupted and isn't complete. Choose another.`);
    throw notFound(`${name} has no backup ${quote(id)}. Run vitrine restore --list to see all.`);
  }
  const newest = complete.at(-1);
  const newer = damaged.findLast((one) => newest === undefined || one.id > newest.id);
  if (newer !== undefined) {
    const hint = newest === undefined ? "" : ` To use the one before it, pass --backup ${newest.id}.`;
    throw new DamagedBackup(newer.problem + hint);
  }
  if (newest === undefined) throw notFound(`There is no complete backup in ${name}.`);
  return newest;
}

/** Throws `Conflict` if a backup was made by a version of Vitrine with a newer database. */
export function requireKnownSchema(manifest: Manifest, schema: number, version: string): void {
  if (manifest.schema <= schema) return;
  throw conflict(
    `The backup ${manifest.id} was made by Vitrine ${manifest.vitrine} with database schema ${manifest.schema}. This is Vitrine ${version}, which knows schemas up to ${schema}. Use Vitrine ${manifest.vitrine} or newer.`,
  );
}

/** Creates the operation that restores a backup into an empty place. */
export function createRestore({ source, blobs, place, schema, version }: Dependencies) {
  const { files, objects } = source;

  /**
   * Restores a backup and compares everything that it reads with its digest. Can be repeated after an interruption.
   * Throws `Conflict` if the place isn't empty or the backup is damaged; with `skipsDamaged`, leaves out damaged objects.
   */
  async function run(
    observer: BackupObserver,
    { backup, skipsDamaged }: { backup: string; skipsDamaged: boolean },
  ): Promise<Restored> {
    const manifest = await chooseBackup(source, backup);
    requireKnownSchema(manifest, schema, version);
    await begin(manifest, observer);
    const check = () => {
      if (observer.isStopped()) throw new Interrupted();
    };
    const copy = await place.openDatabase((path) => files.fetch(manifest.database, path));
    try {
      const copied = await copyNamedObjects({
        from: objects,
        to: blobs,
        published: copy.published,
        trustsTarget: false,
        watch: observer.watchObjects,
        check,
      });
      requireWhole(manifest, copied, observer, skipsDamaged);
      const secret = manifest.secret && (await fetchText(files, nameOf(manifest.id, "secret"), manifest.secret));
      if (secret !== null) await place.writeSecret(secret);
      await place.placeDatabase(copy, { watchRows: observer.watchRows, check });
      // Last, because without it no server starts on these files.
      await blobs.installation.replace(manifest.installation);
      await place.finish();
      return { manifest, problems: copied.problems };
    } finally {
      await copy.remove();
    }
  }

  async function begin({ id }: Manifest, { note }: BackupObserver): Promise<void> {
    const unfinished = await place.readUnfinished();
    if (unfinished === undefined) return place.begin(id);
    if (unfinished !== id) {
      throw conflict(
        `A restore of the backup ${unfinished} isn't finished. Continue it with --backup ${unfinished}, or empty the place.`,
      );
    }
    note("Continuing the unfinished restore.");
  }

  function requireWhole(
    manifest: Manifest,
    { problems, list }: CopiedObjects,
    { note }: BackupObserver,
    skipsDamaged: boolean,
  ): void {
    const known = new Map(manifest.damaged.map((one) => [one.code, one.problem]));
    for (const { code, problem } of problems) {
      const isKnown = known.has(code);
      note(
        isKnown ? `${code}: not in the backup, because it was damaged: ${known.get(code)}.` : `${code}: ${problem}.`,
      );
    }
    const lost = problems.filter(({ code }) => !known.has(code)).length;
    if (lost > 0 && !skipsDamaged) {
      throw conflict(
        `${lost === 1 ? "1 object" : `${lost} objects`} of the backup ${manifest.id} can't be restored. Choose another backup, or pass --skip-damaged to restore everything else.`,
      );
    }
    if (lost === 0 && sha256Of(list) !== manifest.objects.sha256) {
      throw new DamagedBackup(`The database of the backup ${manifest.id} names other objects than its list.`);
    }
  }

  return { run };
}
