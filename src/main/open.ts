import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../domain/codes.ts";
import type { MarkedBlobs, Store } from "../domain/ports.ts";
import type { SharedEvents } from "../events/postgres.ts";
import { SettingError, type Settings } from "../settings.ts";
import { clock, log, random } from "./ports.ts";

export async function openStore(settings: Settings, events?: SharedEvents): Promise<Store> {
  const { databaseUrl, dataDir, databaseConnections: connections } = settings;
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import("../store/postgres/open.ts");
    const uncertain = () => events?.publish({ kind: "missed" });
    return openPostgres(databaseUrl, { connections, uncertain, changeMark: events?.changeMark }).catch((error) => {
      throw unusableDatabase(error);
    });
  }
  const { openSqlite } = await import("../store/sqlite/open.ts");
  return openSqlite(dataDir).catch((error) => {
    throw unusableDataDir(dataDir, error);
  });
}

/** What all copies of the program have in common. */
export async function openShared(settings: Settings) {
  const { createLocalEvents, silence } = await import("../events/local.ts");
  const [{ shared, store }, blobs] = await Promise.all([openDatabase(settings), openBlobs(settings)]);
  const events = shared ?? createLocalEvents();
  return { store, blobs, events, gossip: shared?.gossip ?? silence, stopHearing: async () => shared?.close() };
}

async function openDatabase(settings: Settings) {
  const shared = await openEvents(settings);
  return { shared, store: await openStore(settings, shared) };
}

/** Without a size for the cache, one that another process keeps is left alone. */
export async function openBlobs(
  settings: Omit<Settings, "blobsCache"> & { blobsCache: number | undefined },
): Promise<MarkedBlobs> {
  const { openBlobs: open } = await import("../blobs/open.ts");
  return open({ ...settings, clock, random }).catch((error) => {
    throw new SettingError(`VITRINE_BLOBS_URL cannot be used: ${reasonOf(error)}`);
  });
}

/** How copies of the program that share a database hear of each other's changes; undefined where there is but one. */
async function openEvents({ databaseUrl: url }: Settings): Promise<SharedEvents | undefined> {
  if (url === undefined) return undefined;
  const { openPostgresEvents } = await import("../events/postgres.ts");
  const report = (message: string, error: unknown) => log.error({ message, requestId: "", error });
  return openPostgresEvents({ url, id: newId(random, "copy"), report }).catch((error) => {
    throw unusableDatabase(error);
  });
}

const unusableDatabase = (error: unknown) =>
  new SettingError(`VITRINE_DATABASE_URL cannot be used: ${reasonOf(error)}`);

export async function prepareDataDir({ dataDir }: Settings): Promise<void> {
  const blobs = join(dataDir, "blobs");
  try {
    await mkdir(blobs, { recursive: true, mode: 0o700 });
    await access(blobs, constants.W_OK);
  } catch (error) {
    throw unusableDataDir(dataDir, error);
  }
}

const unusableDataDir = (dataDir: string, error: unknown) =>
  new SettingError(`VITRINE_DATA_DIR "${dataDir}" cannot be used: ${reasonOf(error)}`);

/** A connection that failed on several addresses has a message for each and none of its own. */
export const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? reasonOf(error.errors[0]) : error instanceof Error ? error.message : String(error);
