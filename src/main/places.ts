import { existsSync, statSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { readS3Option, type S3Settings } from "../settings/s3.ts";
import { SettingError } from "../settings/setting-error.ts";
import type { MovedDatabase } from "../store/engine/moving/copy.ts";
import { refuse } from "./open.ts";
import { random } from "./ports.ts";

/** The location of a database, and the option that names it. */
export type DatabasePlace = { option: string; url: string } | { option: string; path: string };
/** The location of published files, and the option that names it. */
export type BlobPlace = { option: string; s3: S3Settings } | { option: string; root: string };

const DATABASE_FILE = "vitrine.db";
const BLOBS_DIRECTORY = "blobs";

/** Parses a data directory, its SQLite file, or a PostgreSQL address. Throws `SettingError`. */
export function readDatabasePlace(option: string, text: string): DatabasePlace {
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (!URL.canParse(text)) throw new SettingError(`${option} must look like postgres://user@host/database.`);
    return { option, url: text };
  }
  const path = readPath(option, text, "a path or postgres://…");
  const isFile = path.endsWith(".db") || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return { option, path: isFile ? path : join(path, DATABASE_FILE) };
}

/** Parses a data directory, its blobs directory, or an S3 address. Throws `SettingError`. */
export function readBlobPlace(
  option: "--from" | "--to",
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): BlobPlace {
  if (text.startsWith("s3:"))
    return { option, s3: readS3Option(option, option === "--from" ? "FROM_" : "TO_", text, environment) };
  const path = readPath(option, text, "a path or s3://…");
  return { option, root: basename(path) === BLOBS_DIRECTORY ? path : join(path, BLOBS_DIRECTORY) };
}

export function readPath(option: string, text: string, expected: string): string {
  if (text.startsWith("file://") && URL.canParse(text)) return fileURLToPath(text);
  if (text === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw new SettingError(`${option} must be ${expected}.`);
  return resolve(text);
}

/** Throws `SettingError` if source and target are the same. */
export async function refuseSame<Place>(from: Place, to: Place, name: (place: Place) => Promise<string>) {
  if ((await name(from)) === (await name(to))) throw new SettingError("--from and --to are the same location.");
}

/** Returns a text that identifies a location. */
export async function nameBlobs(place: BlobPlace): Promise<string> {
  return "s3" in place ? `${place.s3.bucketUrl}/${place.s3.prefix}` : realPathOf(place.root);
}

/** Returns a text that identifies a database, without credentials. */
export async function nameDatabase(place: DatabasePlace): Promise<string> {
  if ("path" in place) return realPathOf(place.path);
  const { hostname, port, pathname, search } = new URL(place.url);
  return `${hostname}:${port || "5432"}${pathname}${search}`;
}

/** Resolves symbolic links in the part of a path that exists. */
const realPathOf = (path: string): Promise<string> =>
  realpath(path).catch(async () => {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  });

/** Opens the published files at a location. Creates a missing directory if `mayMake`, otherwise throws. */
export async function openBlobPlace(place: BlobPlace, { mayMake }: { mayMake: boolean }): Promise<MarkedBlobs> {
  try {
    if ("s3" in place) {
      const { openBucket } = await import("../blobs/open.ts");
      return await openBucket({ place: place.s3, random });
    }
    if (mayMake) await mkdir(place.root, { recursive: true, mode: 0o700 });
    else requireExisting(place.root);
    const { createFileBlobs } = await import("../blobs/fs.ts");
    const blobs = createFileBlobs(place.root);
    if (mayMake) await blobs.check();
    return blobs;
  } catch (error) {
    return refuse(place.option, error);
  }
}

/** Returns the SQLite database in the same data directory as published files, if it exists. */
export function databaseBeside(place: BlobPlace): DatabasePlace | undefined {
  if ("s3" in place) return undefined;
  const path = join(dirname(place.root), DATABASE_FILE);
  return existsSync(path) ? { option: place.option, path } : undefined;
}

export async function openSource(place: DatabasePlace): Promise<MovedDatabase> {
  try {
    if ("url" in place) return (await import("../store/engine/postgres/open-moved.ts")).openPostgresSource(place.url);
    requireExisting(place.path);
    return (await import("../store/engine/sqlite/open-moved.ts")).openSqliteSource(place.path);
  } catch (error) {
    return refuse(place.option, error);
  }
}

export async function openTarget(place: DatabasePlace): Promise<MovedDatabase> {
  try {
    if ("url" in place)
      return await (await import("../store/engine/postgres/open-moved.ts")).openPostgresTarget(place.url);
    await mkdir(dirname(place.path), { recursive: true, mode: 0o700 });
    return await (await import("../store/engine/sqlite/open-moved.ts")).openSqliteTarget(place.path);
  } catch (error) {
    return refuse(place.option, error);
  }
}

/** Returns whether a server appears to be using a database. */
export async function isServed(place: DatabasePlace): Promise<boolean> {
  try {
    if ("url" in place)
      return await (await import("../store/engine/postgres/open-moved.ts")).isPostgresServed(place.url);
    return existsSync(place.path) && (await import("../store/engine/sqlite/open-moved.ts")).isSqliteInUse(place.path);
  } catch (error) {
    return refuse(place.option, error);
  }
}

function requireExisting(path: string): void {
  if (!existsSync(path)) throw new Error(`${path} doesn't exist.`);
}
