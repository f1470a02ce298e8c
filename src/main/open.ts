import { access, constants, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { newId } from "../domain/model/codes.ts";
import type { Events } from "../domain/model/events.ts";
import { Failure } from "../domain/model/failure.ts";
import type { WriteGuard } from "../domain/model/free-space.ts";
import { UnreachableError } from "../domain/model/unreachable-error.ts";
import type { SharedEvents } from "../events/postgres.ts";
import { type Log, silentLog } from "../observability/log.ts";
import type { ObserveCall } from "../observability/metrics/call-meter.ts";
import { causeFinder } from "../observability/origins.ts";
import { SettingError } from "../settings/setting-error.ts";
import type { Settings } from "../settings/settings.ts";
import type { Store } from "../store/store.ts";
import { createThreads, type Threads } from "../threads/threads.ts";
import type { Observability } from "./observability.ts";
import { createPatience, type Persist } from "./patience.ts";
import { clock, log as commandLog, origins, random } from "./ports.ts";

interface StoreDependencies {
  /** Announces writes whose outcome is unknown. */
  events?: Pick<Events, "publish">;
  shared?: SharedEvents | undefined;
  threads?: Threads;
  guard?: WriteGuard;
  /** Undefined for commands, which don't log. */
  log?: Log;
  observe?: ObserveCall | undefined;
}

const findCause = causeFinder(origins, clock);

export async function openStore(
  settings: Settings,
  { events, shared, threads, guard, log = silentLog, observe }: StoreDependencies = {},
): Promise<Store> {
  const { databaseUrl, dataDir, databaseConnections: connections, databaseTimeout } = settings;
  const uncertain = () => events?.publish({ kind: "missed" });
  if (databaseUrl !== undefined) {
    const [{ openPostgres }, { timeoutsWithin }] = await Promise.all([
      import("../store/open-postgres.ts"),
      import("../store/engine/postgres/pool.ts"),
    ]);
    const timeouts = timeoutsWithin(databaseTimeout);
    const options = {
      connections,
      uncertain,
      timeouts,
      log,
      changeMark: shared?.changeMark,
      observe,
      findCause,
      ...(threads === undefined ? {} : { threads }),
    };
    return openPostgres(databaseUrl, options).catch((error) => refuse(DATABASE, error));
  }
  const { openSqlite } = await import("../store/open-sqlite.ts");
  const options = {
    uncertain,
    observe,
    findCause,
    // Commands change the data while the server runs.
    ...(events === undefined ? {} : { changedOutside: uncertain }),
    ...(threads === undefined ? {} : { threads }),
    ...(guard === undefined ? {} : { guard }),
  };
  return openSqlite(dataDir, options).catch((error) => refuse(nameDataDir(dataDir), error));
}

/**
 * Opens everything that replicas share, and waits for services that can't be reached yet. Throws `SettingError` if
 * waiting can't help and `UnreachableError` if it takes too long.
 */
export async function openShared(settings: Settings, threads: Threads, observability: Observability) {
  const { log } = observability;
  const persist = createPatience(settings.startPatience, log);
  await persist(() => prepareDataDir(settings));
  const { room, place } = await openDisk(settings, log);
  const [{ store, events, shared, gossip }, blobs] = await Promise.all([
    openDatabase(settings, persist, { threads, guard: place.guard, observability }),
    persist(() => openBlobs(settings, { threads, guard: place.guard, observability })),
  ]);
  if (settings.databaseUrl === undefined) place.watchFile(join(settings.dataDir, "vitrine.db"));
  const diskParts = [
    { name: "disk space", check: room.check },
    { name: "data directory", check: place.check },
  ];
  return { store, blobs, room, place, diskParts, events, gossip, threads, stopHearing: async () => shared?.close() };
}

/** Watches the data directory and its free space if it stores more than a cache. */
async function openDisk({ dataDir, databaseUrl, s3, diskReserve }: Settings, log: Log) {
  const [{ createFreeSpace }, { describeLost, watchDataDirectory }] = await Promise.all([
    import("../disk/free-space.ts"),
    import("../disk/data-directory.ts"),
  ]);
  const place = watchDataDirectory((path) => log.error({ message: describeLost(path), fields: { path } }));
  const isUsed = databaseUrl === undefined || s3 === undefined;
  if (isUsed) place.watchDirectory(dataDir);
  if (s3 === undefined) place.watchDirectory(join(dataDir, "blobs"), { mayReturn: true });
  const room = createFreeSpace({ directory: dataDir, reserve: isUsed ? diskReserve : 0, log });
  return { place, room };
}

interface ServerDependencies {
  threads: Threads;
  guard: WriteGuard;
  observability: Observability;
}

async function openDatabase(settings: Settings, persist: Persist, { observability, ...guarded }: ServerDependencies) {
  const { log, observeDatabase: observe } = observability;
  const { createLocalEvents, silence } = await import("../events/local.ts");
  const shared = await persist(() => openEvents(settings, log));
  const events = shared ?? createLocalEvents();
  const store = await persist(() => openStore(settings, { events, shared, log, observe, ...guarded }));
  return { store, events, shared, gossip: shared?.gossip ?? silence };
}

/** Opens the published files. Without `blobsCache`, doesn't touch the cache, which belongs to another process. */
export async function openBlobs(
  settings: Omit<Settings, "blobsCache"> & { blobsCache: number | undefined },
  { threads = createThreads(), guard, observability }: Partial<ServerDependencies> = {},
): Promise<MarkedBlobs> {
  const { openBlobs: open } = await import("../blobs/open.ts");
  const { log = commandLog, meters, observeBlobs: observe, tracing } = observability ?? {};
  const watching = { log, noteCache: meters?.noteDiskCache, extraHeaders: tracing?.headers };
  const blobs = await open({ ...settings, ...watching, clock, random, threads }).catch((error) =>
    refuse("VITRINE_BLOBS_URL", error),
  );
  const guarded = guard === undefined || settings.s3 !== undefined ? blobs : await guardedBlobs(blobs, guard);
  return observe === undefined ? guarded : (await import("../blobs/observed.ts")).observeBlobs(guarded, observe);
}

const guardedBlobs = async (blobs: MarkedBlobs, guard: WriteGuard): Promise<MarkedBlobs> =>
  (await import("../blobs/guarded.ts")).guardBlobs(blobs, guard);

/** Opens the connection through which replicas exchange events. Returns undefined for SQLite. */
async function openEvents({ databaseUrl: url }: Settings, log: Log): Promise<SharedEvents | undefined> {
  if (url === undefined) return undefined;
  const { openPostgresEvents } = await import("../events/postgres.ts");
  return openPostgresEvents({ url, id: newId(random, "rpl"), log }).catch((error) => refuse(DATABASE, error));
}

/** Creates the data directory if it is missing. Throws the same errors as `openShared`. */
export async function prepareDataDir(settings: Settings): Promise<void> {
  const { dataDir } = settings;
  await refuseUnfinishedRestore(settings);
  const blobs = join(dataDir, "blobs");
  try {
    await mkdir(blobs, { recursive: true, mode: 0o700 });
    await access(blobs, constants.W_OK);
  } catch (error) {
    if (hasPassingCode(error)) throw unreachable(nameDataDir(dataDir), error);
    throw unusable(nameDataDir(dataDir), error);
  }
}

/** The file that exists in a data directory while a restore isn't finished. */
export const RESTORE_MARK = "restore.json";

/** Returns the id of the backup whose restore into the data directory isn't finished, or undefined. */
export async function readUnfinishedRestore({ dataDir }: Settings): Promise<string | undefined> {
  try {
    const { backup }: { backup: string } = JSON.parse(await readFile(join(dataDir, RESTORE_MARK), "utf8"));
    return backup;
  } catch (error) {
    // Whether the directory can be used is checked elsewhere.
    if (hasCode(error, ["ENOENT", "ENOTDIR", "EACCES"])) return undefined;
    throw error;
  }
}

/** Throws `SettingError` while a restore into the data directory isn't finished. */
export async function refuseUnfinishedRestore(settings: Settings): Promise<void> {
  const backup = await readUnfinishedRestore(settings);
  if (backup === undefined) return;
  throw new SettingError(
    `The restore of the backup ${backup} into ${nameDataDir(settings.dataDir)} isn't finished. Run the same vitrine restore again to finish it.`,
  );
}

const DATABASE = "VITRINE_DATABASE_URL";
const nameDataDir = (dataDir: string) => `VITRINE_DATA_DIR "${dataDir}"`;

/** Error codes of full or busy disks and of network file systems, which may pass. */
const PASSING_CODES = ["ENOSPC", "EDQUOT", "EIO", "EAGAIN", "EBUSY", "ESTALE", "ETIMEDOUT", "EHOSTDOWN", "ENODEV"];

const hasCode = (error: unknown, codes: readonly string[]) =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));

const hasPassingCode = (error: unknown) => hasCode(error, PASSING_CODES);

/** Throws an error that names the setting: `UnreachableError` if a retry may help, otherwise `SettingError`. */
export async function refuse(name: string, error: unknown): Promise<never> {
  const { translateError } = await import("../store/engine/engine.ts");
  const failure = translateError(error);
  const mayPass = failure instanceof Failure && (failure.kind === "Unavailable" || failure.kind === "StorageFull");
  throw mayPass ? unreachable(name, error) : unusable(name, error);
}

const unusable = (name: string, error: unknown) => new SettingError(`${name} cannot be used: ${reasonOf(error)}`);

const unreachable = (name: string, error: unknown) =>
  new UnreachableError(`${name} cannot be reached: ${reasonOf(error)}`);

/** Returns an error's message, or the first one if a connection failed on several addresses. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? reasonOf(error.errors[0]) : error instanceof Error ? error.message : String(error);
