import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { newId } from "../domain/model/codes.ts";
import type { Events } from "../domain/model/events.ts";
import { Failure } from "../domain/model/failure.ts";
import type { WriteGuard } from "../domain/model/free-space.ts";
import { UnreachableError } from "../domain/model/unreachable-error.ts";
import type { SharedEvents } from "../events/postgres.ts";
import { SettingError, type Settings } from "../settings.ts";
import type { Store } from "../store/store.ts";
import { createThreads, type Threads } from "../threads/threads.ts";
import { createPatience, type Persist } from "./patience.ts";
import { clock, log, random } from "./ports.ts";

interface Surroundings {
  /** Through which a change of unknown outcome is told. */
  events?: Pick<Events, "publish">;
  shared?: SharedEvents | undefined;
  threads?: Threads;
  guard?: WriteGuard;
}

export async function openStore(
  settings: Settings,
  { events, shared, threads, guard }: Surroundings = {},
): Promise<Store> {
  const { databaseUrl, dataDir, databaseConnections: connections, databaseTimeout } = settings;
  const uncertain = () => events?.publish({ kind: "missed" });
  if (databaseUrl !== undefined) {
    const [{ openPostgres }, { timeoutsWithin }] = await Promise.all([
      import("../store/open-postgres.ts"),
      import("../store/engine/postgres/open.ts"),
    ]);
    const timeouts = timeoutsWithin(databaseTimeout);
    const options = { connections, uncertain, timeouts, changeMark: shared?.changeMark };
    return openPostgres(databaseUrl, options).catch((error) => refuse(DATABASE, error));
  }
  const { openSqlite } = await import("../store/open-sqlite.ts");
  const options = {
    uncertain,
    ...(threads === undefined ? {} : { threads }),
    ...(guard === undefined ? {} : { guard }),
  };
  return openSqlite(dataDir, options).catch((error) => refuse(nameDataDir(dataDir), error));
}

/**
 * Opens what all copies of the program have in common, and waits for what cannot be reached yet. Throws `SettingError`
 * where waiting does not help, `UnreachableError` where it took too long.
 */
export async function openShared(settings: Settings, threads: Threads) {
  const persist = createPatience(settings.startPatience, log);
  await persist(() => prepareDataDir(settings));
  const { room, place } = await openDisk(settings);
  const [{ store, events, shared, gossip }, blobs] = await Promise.all([
    openDatabase(settings, persist, { threads, guard: place.guard }),
    persist(() => openBlobs(settings, { threads, guard: place.guard })),
  ]);
  if (settings.databaseUrl === undefined) place.watchFile(join(settings.dataDir, "vitrine.db"));
  const diskParts = [
    { name: "disk space", check: room.check },
    { name: "data directory", check: place.check },
  ];
  return { store, blobs, room, place, diskParts, events, gossip, threads, stopHearing: async () => shared?.close() };
}

/** What is to be known of the disk, as far as anything is stored there that cannot be had again. */
async function openDisk({ dataDir, databaseUrl, s3, diskReserve }: Settings) {
  const [{ createFreeSpace }, { describeLost, watchDataDirectory }] = await Promise.all([
    import("../disk/free-space.ts"),
    import("../disk/data-directory.ts"),
  ]);
  const report = (message: string) => log.error({ message, requestId: "", error: dataDir });
  const place = watchDataDirectory((path) => report(describeLost(path)));
  const isUsed = databaseUrl === undefined || s3 === undefined;
  if (isUsed) place.watchDirectory(dataDir);
  if (s3 === undefined) place.watchDirectory(join(dataDir, "blobs"), { mayReturn: true });
  const room = createFreeSpace({ directory: dataDir, reserve: isUsed ? diskReserve : 0, report });
  return { place, room };
}

interface Guarded {
  threads: Threads;
  guard: WriteGuard;
}

async function openDatabase(settings: Settings, persist: Persist, guarded: Guarded) {
  const { createLocalEvents, silence } = await import("../events/local.ts");
  const shared = await persist(() => openEvents(settings));
  const events = shared ?? createLocalEvents();
  const store = await persist(() => openStore(settings, { events, shared, ...guarded }));
  return { store, events, shared, gossip: shared?.gossip ?? silence };
}

/** Opens the published files. Without a size for the cache, one that another process keeps is left alone. */
export async function openBlobs(
  settings: Omit<Settings, "blobsCache"> & { blobsCache: number | undefined },
  { threads = createThreads(), guard }: Partial<Guarded> = {},
): Promise<MarkedBlobs> {
  const { openBlobs: open } = await import("../blobs/open.ts");
  const blobs = await open({ ...settings, clock, random, threads }).catch((error) =>
    refuse("VITRINE_BLOBS_URL", error),
  );
  if (guard === undefined || settings.s3 !== undefined) return blobs;
  const { guardBlobs } = await import("../blobs/guarded.ts");
  return guardBlobs(blobs, guard);
}

/** How copies of the program that share a database hear of each other's changes; undefined where there is but one. */
async function openEvents({ databaseUrl: url }: Settings): Promise<SharedEvents | undefined> {
  if (url === undefined) return undefined;
  const { openPostgresEvents } = await import("../events/postgres.ts");
  const report = (message: string, error: unknown) => log.error({ message, requestId: "", error });
  return openPostgresEvents({ url, id: newId(random, "copy"), report }).catch((error) => refuse(DATABASE, error));
}

/** Makes the data directory where there is none. Throws as `openShared` does. */
export async function prepareDataDir({ dataDir }: Settings): Promise<void> {
  const blobs = join(dataDir, "blobs");
  try {
    await mkdir(blobs, { recursive: true, mode: 0o700 });
    await access(blobs, constants.W_OK);
  } catch (error) {
    if (hasPassingCode(error)) throw unreachable(nameDataDir(dataDir), error);
    throw unusable(nameDataDir(dataDir), error);
  }
}

const DATABASE = "VITRINE_DATABASE_URL";
const nameDataDir = (dataDir: string) => `VITRINE_DATA_DIR "${dataDir}"`;

/** Of disks that are full or busy, and of network file systems. */
const PASSING_CODES = ["ENOSPC", "EDQUOT", "EIO", "EAGAIN", "EBUSY", "ESTALE", "ETIMEDOUT", "EHOSTDOWN", "ENODEV"];

const hasPassingCode = (error: unknown) =>
  error instanceof Error && "code" in error && PASSING_CODES.includes(String(error.code));

/** Throws that a database or a store, named by what leads to it, cannot be reached, or cannot be used in whatever time. */
export async function refuse(name: string, error: unknown): Promise<never> {
  const { translateError } = await import("../store/engine/engine.ts");
  const failure = translateError(error);
  const mayPass = failure instanceof Failure && (failure.kind === "Unavailable" || failure.kind === "StorageFull");
  throw mayPass ? unreachable(name, error) : unusable(name, error);
}

const unusable = (name: string, error: unknown) => new SettingError(`${name} cannot be used: ${reasonOf(error)}`);

const unreachable = (name: string, error: unknown) =>
  new UnreachableError(`${name} cannot be reached: ${reasonOf(error)}`);

/** A connection that failed on several addresses has a message for each and none of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? reasonOf(error.errors[0]) : error instanceof Error ? error.message : String(error);
