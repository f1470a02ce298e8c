import type { BlobCopyObserver, BlobPlaces, DatabaseCopyObserver, DatabasePlaces } from "../cli/copying.ts";
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

/** Copies published files. Throws `SettingError` if a location can't be used. */
export async function copyBlobs(places: BlobPlaces, observer: BlobCopyObserver, environment: Environment) {
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
  if (known === undefined) observer.note("Without --database, the files can't be checked against what was published.");
  else if (await isServed(known)) observer.note("A server is using the source. Copy again after you stop it.");
  const database = known && (await openSource(known));
  const published = database && listPublished(database.database);
  try {
    const own = await source.installation.read();
    await refuseOthers(target, own);
    const tally = await copyObjects({ ...observer, from: source, to: target, published });
    const isWhole = !observer.isStopped() && tally.different + tally.damaged + tally.missing === 0;
    // Set the id last, so that an incomplete copy never counts as the installation's files.
    if (own !== undefined && isWhole) await target.installation.replace(own);
    return tally;
  } finally {
    await database?.close();
  }
}

/** Throws `Conflict` if the target contains files of another installation. An id without files is no conflict. */
async function refuseOthers(target: MarkedBlobs, own: string | undefined): Promise<void> {
  const theirs = await target.installation.read();
  if (own === undefined || theirs === undefined || own === theirs) return;
  for await (const _ of target.list()) {
    throw conflict(`--to contains the files of another installation (${theirs}, not ${own}). Use an empty location.`);
  }
}

/** Copies a database. Throws `SettingError` if a location can't be used, and `Conflict` if the copy is refused. */
export async function copyDatabase(places: DatabasePlaces, observer: DatabaseCopyObserver) {
  const [{ copyDatabase: copy }, { MOVED_TABLES }] = await Promise.all([
    import("../store/engine/moving/copy.ts"),
    import("../store/moved-tables.ts"),
  ]);
  const from = readDatabasePlace("--from", places.from);
  const to = readDatabasePlace("--to", places.to);
  await refuseSame(from, to, nameDatabase);
  const wasServed = await isServed(from);
  if (wasServed && places.whileServed !== true) throw conflict(SERVED);
  if (await isServed(to)) throw conflict("A server is using the target. Stop it, then copy.");
  if (wasServed) observer.note("A server is using the source. Its changes from now on won't be in the copy.");
  const source = await openSource(from);
  let copied: Awaited<ReturnType<typeof copy>>;
  try {
    const target = await openTarget(to);
    copied = await copy(source, target, { ...observer, run: newId(random, "run") }, MOVED_TABLES).finally(target.close);
  } finally {
    await source.close();
  }
  if (!wasServed && (await isServed(from)))
    observer.note("A server started on the source during the copy. Copy again.");
  return copied;
}

const SERVED =
  "A server is using the source. Stop it, then copy. To copy the current state now, pass --while-served, and copy again later.";
