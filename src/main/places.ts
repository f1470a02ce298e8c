import { existsSync, statSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { readS3Option, type S3Settings } from "../domain/s3-settings.ts";
import { SettingError } from "../settings.ts";
import type { MovedDatabase } from "../store/engine/moving/copy.ts";
import { refuse } from "./open.ts";
import { random } from "./ports.ts";

/** Where a command is to find a database. */
export type DatabasePlace = { option: string; url: string } | { option: string; path: string };
/** Where a command is to find published files. */
export type BlobPlace = { option: string; s3: S3Settings } | { option: string; root: string };

const DATABASE_FILE = "vitrine.db";
const BLOBS_DIRECTORY = "blobs";

/** A data directory, the SQLite file in one, or an address of PostgreSQL. */
export function readDatabasePlace(option: string, text: string): DatabasePlace {
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (!URL.canParse(text)) throw new SettingError(`${option} must look like postgres://user@host/database.`);
    return { option, url: text };
  }
  const path = readPath(option, text, "a path or postgres://…");
  const isFile = path.endsWith(".db") || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return { option, path: isFile ? path : join(path, DATABASE_FILE) };
}

/** A data directory, the directory of published files in one, or an address of S3. */
export function readBlobPlace(
  option: "--from" | "--to",
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): BlobPlace {
  if (text.startsWith("s3:")) return { option, s3: readS3Option(option, text, environment) };
  const path = readPath(option, text, "a path or s3://…");
  return { option, root: basename(path) === BLOBS_DIRECTORY ? path : join(path, BLOBS_DIRECTORY) };
}

function readPath(option: string, text: string, wanted: string): string {
  if (text.startsWith("file://") && URL.canParse(text)) return fileURLToPath(text);
  if (text === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw new SettingError(`${option} must be ${wanted}.`);
  return resolve(text);
}

/** Throws `SettingError` when both are one and the same. */
export async function refuseSame<Place>(from: Place, to: Place, name: (place: Place) => Promise<string>) {
  if ((await name(from)) === (await name(to))) throw new SettingError("--from and --to are the same place.");
}

export async function nameBlobs(place: BlobPlace): Promise<string> {
  return "s3" in place ? `${place.s3.bucketUrl}/${place.s3.prefix}` : realPathOf(place.root);
}

export async function nameDatabase(place: DatabasePlace): Promise<string> {
  if ("path" in place) return realPathOf(place.path);
  const { hostname, port, pathname, search } = new URL(place.url);
  return `${hostname}:${port || "5432"}${pathname}${search}`;
}

/** Of what is not there yet, as far as it is there. */
const realPathOf = (path: string): Promise<string> =>
  realpath(path).catch(async () => {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  });

/** The published files of a place, which is made where it may be. */
export async function openBlobPlace(place: BlobPlace, { mayMake }: { mayMake: boolean }): Promise<MarkedBlobs> {
  try {
    if ("s3" in place) {
      const { openBucket } = await import("../blobs/open.ts");
      return await openBucket({ place: place.s3, random });
    }
    if (mayMake) await mkdir(place.root, { recursive: true, mode: 0o700 });
    else requireThere(place.root);
    const { createFileBlobs } = await import("../blobs/fs.ts");
    const blobs = createFileBlobs(place.root);
    if (mayMake) await blobs.check();
    return blobs;
  } catch (error) {
    return refuse(place.option, error);
  }
}

/** The database that lies in the same data directory as published files. */
export function databaseBeside(place: BlobPlace): DatabasePlace | undefined {
  if ("s3" in place) return undefined;
  const path = join(dirname(place.root), DATABASE_FILE);
  return existsSync(path) ? { option: place.option, path } : undefined;
}

export async function openSource(place: DatabasePlace): Promise<MovedDatabase> {
  try {
    if ("url" in place) return (await import("../store/engine/postgres/open-moved.ts")).openPostgresSource(place.url);
    requireThere(place.path);
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

/** Whether a server uses a database, as far as can be told. */
export async function isServed(place: DatabasePlace): Promise<boolean> {
  try {
    if ("url" in place)
      return await (await import("../store/engine/postgres/open-moved.ts")).isPostgresServed(place.url);
    return existsSync(place.path) && (await import("../store/engine/sqlite/open-moved.ts")).isSqliteInUse(place.path);
  } catch (error) {
    return refuse(place.option, error);
  }
}

function requireThere(path: string): void {
  if (!existsSync(path)) throw new Error(`there is no ${path}.`);
}
