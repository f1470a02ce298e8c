import type { BlobPlaces, BlobWatching, DatabasePlaces, DatabaseWatching } from "../cli/moving.ts";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { newId } from "../domain/model/codes.ts";
import { conflict } from "../domain/model/failure.ts";
import {
  databaseBeside,
  isServed,
  nameBlobs,
  nameDatabase,
  openBlobPlace,
  openSource,
  openTarget,
  readBlobPlace,
  readDatabasePlace,
  refuseSame,
} from "./places.ts";
import { random } from "./ports.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Copies published files. Throws `SettingError` if a location cannot be used. */
export async function copyBlobs(places: BlobPlaces, watching: BlobWatching, environment: Environment) {
  const [{ copyObjects }, { listPublished }] = await Promise.all([
    import("../domain/operations/moving.ts"),
    import("../store/operations/published.ts"),
  ]);
  const from = readBlobPlace("--from", places.from, environment);
  const to = readBlobPlace("--to", places.to, environment);
  await refuseSame(from, to, nameBlobs);
  const source = await openBlobPlace(from, { mayMake: false });
  const target = await openBlobPlace(to, { mayMake: true });
  const named = places.database;
  const known = named === undefined ? databaseBeside(from) : readDatabasePlace("--database", named);
  if (known === undefined) watching.note("Without --database, the files can't be compared with what was published.");
  else if (await isServed(known)) watching.note("A server is using the source. Copy again after it has stopped.");
  const database = known && (await openSource(known));
  const published = database && listPublished(database.database);
  try {
    const own = await source.installation.read();
    await refuseOthers(target, own);
    const tally = await copyObjects({ ...watching, from: source, to: target, published });
    const isWhole = !watching.isStopped() && tally.different + tally.damaged + tally.missing === 0;
    // Last, so that a location with only some of the files never looks like the whole installation.
    if (own !== undefined && isWhole) await target.installation.replace(own);
    return tally;
  } finally {
    await database?.close();
  }
}

/** Throws `Conflict` if the target has files of another installation. An id without files is left by a mere start. */
async function refuseOthers(target: MarkedBlobs, own: string | undefined): Promise<void> {
  const theirs = await target.installation.read();
  if (own === undefined || theirs === undefined || own === theirs) return;
  for await (const _ of target.list()) {
    throw conflict(`--to has the files of another installation (${theirs}, not ${own}). Copy into an empty location.`);
  }
}

/** Copies a database. Throws `SettingError` if a location cannot be used, `Conflict` if the copy is refused. */
export async function copyDatabase(places: DatabasePlaces, watching: DatabaseWatching) {
  const [{ copyDatabase: copy }, { MOVED_TABLES }] = await Promise.all([
    import("../store/engine/moving/copy.ts"),
    import("../store/moved-tables.ts"),
  ]);
  const from = readDatabasePlace("--from", places.from);
  const to = readDatabasePlace("--to", places.to);
  await refuseSame(from, to, nameDatabase);
  const wasServed = await isServed(from);
  if (wasServed && places.whileServed !== true) throw conflict(SERVED);
  if (await isServed(to)) throw conflict("A server is using the target. Stop it before you copy.");
  if (wasServed) watching.note("A server is using the source. The copy won't have changes made from now on.");
  const source = await openSource(from);
  let copied: Awaited<ReturnType<typeof copy>>;
  try {
    const target = await openTarget(to);
    copied = await copy(source, target, { ...watching, run: newId(random, "run") }, MOVED_TABLES).finally(target.close);
  } finally {
    await source.close();
  }
  if (!wasServed && (await isServed(from))) watching.note("A server has started on the source. Copy again.");
  return copied;
}

const SERVED = "A server is using the source. Stop it before you copy, or pass --while-served and copy again later.";
