import { join } from "node:path";
import type { BlobMaintenance, HeldSweep } from "../cli/blobs.ts";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { conflict, notFound } from "../domain/model/failure.ts";
import { findDamage } from "../domain/operations/content.ts";
import { createInstallation } from "../domain/operations/installation.ts";
import { createScrub } from "../domain/operations/scrub.ts";
import { createSweep } from "../domain/operations/sweep.ts";
import { silentLog } from "../observability/log.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import type { Store } from "../store/store.ts";
import { openBlobs, openStore, prepareDataDir } from "./open.ts";
import { nameBlobs, nameDatabase } from "./places.ts";
import { clock, log, random, wait } from "./ports.ts";

/** The number of held keys that a command shows. */
const SHOWN_KEYS = 10;
/** The number of damaged objects that a command lists. */
const LISTED_DAMAGE = 10_000;

/** Returns the installation that a database and published files belong to. */
export async function installationOf(settings: Settings, { store, blobs }: { store: Store; blobs: MarkedBlobs }) {
  const { dataDir, databaseUrl: url, s3 } = settings;
  const option = "";
  const places = {
    database: await nameDatabase(url === undefined ? { option, path: join(dataDir, "vitrine.db") } : { option, url }),
    blobs: await nameBlobs(s3 === undefined ? { option, root: join(dataDir, "blobs") } : { option, s3 }),
  };
  return createInstallation({ store, blobs, clock, random, places });
}

/** Creates the operator commands for a server's published files. */
export function createBlobMaintenance(environment: Readonly<Record<string, string | undefined>>): BlobMaintenance {
  async function within<Result>(work: (settings: Settings, opened: Opened) => Promise<Result>): Promise<Result> {
    const settings = readSettings(environment);
    await prepareDataDir(settings);
    const store = await openStore(settings);
    try {
      // The cache in the data directory belongs to the server.
      return await work(settings, { store, blobs: await openBlobs({ ...settings, blobsCache: undefined }) });
    } finally {
      await store.close();
    }
  }

  async function findHeld({ store }: Opened): Promise<HeldSweep | undefined> {
    const hold = await store.operations.findHold();
    if (hold === undefined) return undefined;
    return { ...hold, keys: await store.operations.listHeld(SHOWN_KEYS) };
  }

  const checkDamaged = ({ store, blobs }: Opened, { scrubDays: days }: Settings) =>
    createScrub({
      store,
      openStored: async () => blobs,
      checkContent: async (content, files) => findDamage(content, files),
      clock,
      wait,
      log: silentLog,
      days,
    }).checkDamaged();

  return {
    listDamaged: ({ checkAgain }) =>
      within(async (settings, opened) => {
        const forgotten = checkAgain ? await checkDamaged(opened, settings) : 0;
        return { objects: await opened.store.operations.listDamage(LISTED_DAMAGE), forgotten };
      }),
    describeInstallation: () => within(async (settings, opened) => (await installationOf(settings, opened)).describe()),
    adopt: () => within(async (settings, opened) => (await installationOf(settings, opened)).adopt()),
    findHeldSweep: () => within((_, opened) => findHeld(opened)),
    confirmSweep: (orphans) =>
      within(async (settings, opened) => {
        await (await installationOf(settings, opened)).requireMatch();
        const { store } = opened;
        if ((await store.operations.findHold()) === undefined) throw notFound("No deletion is on hold.");
        if (await store.operations.isBackingUp()) {
          throw conflict(
            "A backup is in progress, which may need these files. Confirm the deletion after it has finished.",
          );
        }
        if (!(await store.operations.confirmHold({ orphans, now: clock.now() }))) {
          throw conflict("A different number of objects is on hold now. Run vitrine blobs sweep to see it.");
        }
        return createSweep({ ...opened, clock, wait, log, orphanDays: settings.orphanDays }).removeConfirmed();
      }),
  };
}

interface Opened {
  store: Store;
  blobs: MarkedBlobs;
}
