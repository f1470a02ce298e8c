import type { Blobs, MarkedBlobs } from "../../model/blobs.ts";
import { newId } from "../../model/codes.ts";
import { conflict } from "../../model/failure.ts";
import type { Clock, Random } from "../../model/ports.ts";
import { type LeaseTimes, startLease } from "../lease.ts";
import type { PublishedObjects } from "../moving.ts";
import type { InstallationStore } from "../ports.ts";
import { keepNewest } from "./keep.ts";
import { type Lock, type Machine, takeLock } from "./lock.ts";
import {
  backupId,
  type Inventory,
  type Manifest,
  nameOf,
  nextNumber,
  removeBackup,
  renderManifest,
  sizeOfBackup,
  storeText,
  takeInventory,
} from "./manifest.ts";
import { type CopiedObjects, copyNamedObjects, type ObjectProblem, type ObjectTally } from "./objects.ts";
import { type BackupFiles, type BackupStore, DamagedBackup } from "./ports.ts";

const TIMES: LeaseTimes = { lease: 10 * 60_000, renew: 60_000 };

/** Entries of a target that is empty: the directory of the objects, and that of recovered files on a separate disk. */
const EMPTY = ["objects", "lost+found"];

/** A copy of the database in a local SQLite file. */
export interface DatabaseCopy {
  path: string;
  /** The number of its newest migration. */
  schema: number;
  published: PublishedObjects;
  /** Closes and deletes the copy. */
  remove(): Promise<void>;
}

export interface BackupObserver {
  /** Called as the work proceeds; `share` is the completed share of a phase, from 0 to 1. */
  watchRows(rows: number, total: number): void;
  watchObjects(tally: Readonly<ObjectTally>, share: number): void;
  note(sentence: string): void;
  isStopped(): boolean;
}

/** The location of backups. */
export interface BackupTarget {
  /** Identifies it to operators, without credentials. */
  name: string;
  files: BackupFiles;
  objects: MarkedBlobs;
}

interface Dependencies {
  store: { operations: BackupStore & InstallationStore };
  blobs: Blobs;
  target: BackupTarget;
  clock: Clock;
  random: Random;
  wait(milliseconds: number): Promise<void>;
  machine: Machine;
  version: string;
  /** Returns the secret in the data directory, or undefined if the secret is a setting. */
  readSecret(): Promise<string | undefined>;
  /** Copies one state of the database. Throws if `check` does. */
  copyDatabase(observer: Pick<BackupObserver, "watchRows"> & { check(): void }): Promise<DatabaseCopy>;
  times?: LeaseTimes;
}

/** The result of a backup. */
export interface BackedUp {
  manifest: Manifest;
  /** The size of the backup. */
  bytes: number;
  /** The part of it that earlier backups didn't contain. */
  copiedBytes: number;
  problems: readonly ObjectProblem[];
  /** The ids of older backups that were removed. */
  removed: readonly string[];
}

/** Indicates that a person has stopped a backup. Running it again continues it. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor() {
    super("Interrupted. Run the same command again to continue.");
  }
}

/** Creates the operation that backs up an installation, also while it is in use. */
export function createBackup(dependencies: Dependencies) {
  const { store, blobs, target, clock, random, wait, machine, version, times = TIMES } = dependencies;
  const { files, objects } = target;

  /**
   * Backs up the database and all objects that it names. Keeps objects from being deleted meanwhile. Then removes older
   * backups if `keep` says how many to keep. Throws `Conflict` if another backup into this target is in progress.
   */
  async function run(observer: BackupObserver, keep: number | undefined): Promise<BackedUp> {
    const installation = await requireOwnTarget();
    const id = newId(random, "bkp");
    let lock: Lock | undefined;
    const lease = await startLease({
      async claim() {
        lock = await takeLock({ files, clock, machine, run: id });
        await store.operations.startBackup({ id, target: target.name, lease: times.lease });
        return true;
      },
      renew: async () =>
        (await store.operations.renewBackup({ id, lease: times.lease })) && (await lock?.renew()) === true,
      wait,
      times,
    });
    if (lease === undefined || lock === undefined) throw new Error("The lease of a backup is always granted.");
    const held: Held = {
      check() {
        if (observer.isStopped()) throw new Interrupted();
        if (lease.signal.aborted) throw LOST;
      },
      async confirm() {
        held.check();
        if (!(await store.operations.renewBackup({ id, lease: times.lease })) || !(await lock?.isOwn())) throw LOST;
      },
    };
    try {
      const result = await backUp({ installation, observer, held, keep });
      const { manifest, bytes, copiedBytes } = result;
      await store.operations.endBackup({
        id,
        state: "succeeded",
        backup: manifest.id,
        problem: describeProblems(result.problems),
        objects: manifest.objects.count,
        bytes,
        copiedBytes,
      });
      return result;
    } catch (error) {
      // If this fails too, the lease expires.
      await store.operations.endBackup({ id, state: "failed", problem: reasonOf(error) }).catch(() => undefined);
      throw error;
    } finally {
      lease.end();
      await lock.release().catch(() => undefined);
    }
  }

  /** Returns the installation's id. Throws `Conflict` if the target has backups of another one. */
  async function requireOwnTarget(): Promise<string> {
    const own = await store.operations.claimInstallation({ id: newId(random, "ins"), now: clock.now() });
    const theirs = await objects.installation.read();
    if (theirs === undefined && (await files.list("")).some((name) => !EMPTY.includes(name))) {
      throw conflict(`${target.name} contains other files. Choose an empty location for backups.`);
    }
    const claimed = theirs ?? (await objects.installation.claim(own));
    if (claimed === own) return own;
    throw conflict(
      `${target.name} has the backups of another installation (${claimed}, not ${own}). Choose another location.`,
    );
  }

  async function backUp({ installation, observer, held, keep }: Run): Promise<BackedUp> {
    const inventory = await takeInventory(files);
    for (const id of inventory.unfinished) await removeBackup(files, id);
    // The snapshot is taken later, so it has everything that was confirmed before this time.
    const createdAt = clock.now();
    const id = backupId(nextNumber(inventory), createdAt);
    const { check } = held;
    const copy = await dependencies.copyDatabase({ watchRows: observer.watchRows, check });
    let stored: Stored;
    try {
      const copied = await copyNamedObjects({
        from: blobs,
        to: objects,
        published: copy.published,
        trustsTarget: true,
        watch: observer.watchObjects,
        check,
      });
      stored = await storeFiles(id, copy, copied);
    } finally {
      await copy.remove();
    }
    const { copied, ...parts } = stored;
    const manifest: Manifest = {
      format: 1,
      id,
      number: nextNumber(inventory),
      created_at: new Date(createdAt).toISOString(),
      vitrine: version,
      schema: copy.schema,
      installation,
      ...parts,
      damaged: copied.problems,
    };
    await held.confirm();
    await files.writeText(nameOf(id, "manifest.json"), renderManifest(manifest));
    const removed = await removeOlder(
      { ...inventory, complete: [...inventory.complete, manifest] },
      held,
      keep,
      observer,
    );
    const bytes = sizeOfBackup(manifest);
    const copiedBytes = copied.copiedBytes + manifest.database.size;
    return { manifest, bytes, copiedBytes, problems: copied.problems, removed };
  }

  async function storeFiles(id: string, copy: DatabaseCopy, copied: CopiedObjects): Promise<Stored> {
    const database = await files.store(nameOf(id, "vitrine.db"), copy.path);
    const list = await storeText(files, nameOf(id, "objects.txt"), copied.list);
    const secret = await dependencies.readSecret();
    return {
      database,
      objects: { ...list, count: copied.objects, bytes: copied.bytes },
      secret: secret === undefined ? null : await storeText(files, nameOf(id, "secret"), secret),
      copied,
    };
  }

  /** Removes older backups, unless this one lacks files that they may have. */
  async function removeOlder(
    inventory: Inventory,
    { confirm }: Held,
    keep: number | undefined,
    { note }: BackupObserver,
  ): Promise<readonly string[]> {
    if (keep === undefined) return [];
    const [unreadable] = inventory.damaged;
    if (unreadable !== undefined) {
      note(`No older backup was removed, because ${unreadable.problem.replace(/\.$/, "")}.`);
      return [];
    }
    if ((inventory.complete.at(-1)?.damaged.length ?? 0) > 0) {
      note("No older backup was removed, because they may have the files that this one lacks.");
      return [];
    }
    try {
      return await keepNewest({ ...target, keep, complete: inventory.complete, confirm });
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      note(`No older backup was removed, because ${error.message.replace(/\.$/, "")}.`);
      return [];
    }
  }

  return { run };
}

/** The hold of a run on the installation's objects and on the target. */
interface Held {
  /** Throws if the run was stopped or its hold may be lost. */
  check(): void;
  /** Throws unless the hold is certain. */
  confirm(): Promise<void>;
}

interface Run {
  installation: string;
  observer: BackupObserver;
  held: Held;
  keep: number | undefined;
}

type Stored = Pick<Manifest, "database" | "objects" | "secret"> & { copied: CopiedObjects };

const LOST = conflict(
  "The backup stopped, because it couldn't renew its hold on the published files in time. Run it again to continue.",
);

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function describeProblems(problems: readonly ObjectProblem[]): string | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  const reports = problems.length === 1 ? "1 version" : `${problems.length} versions`;
  return `It lacks the files of ${reports}, which were missing or damaged, for example of ${first.code}.`;
}
