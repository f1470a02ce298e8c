import { sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { Openings, Refusals, SeenBatch } from "../../domain/seen/ports.ts";
import { engineOf } from "../engine/engine.ts";
import { insertionOf } from "../engine/insert-rows.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";

/** The link of attempts by people who may not read the report. */
export const REFUSED = "refused";
/** The user of rows that count all readers. */
export const EVERYONE = "";
/** Longer than any server tries to add a batch again. */
const BATCH_LIFE = 24 * 60 * 60_000;

interface Row {
  code: string;
  link: string;
  user_id: string;
  workspace_id: string;
  times: number;
  last_at: Instant;
}

interface KnownVersion {
  code: string;
  name: string | null;
  workspaceId: string;
  makers: readonly string[];
}

type Modes = ReadonlyMap<string, "counts" | "names">;

// All prepared: a batch comes too seldom for the code that builds statements to stay compiled, and costs as much as thousands of reads.
const insertBatch = prepared((database, id: string, added_at: Instant) =>
  database
    .insertInto("seen_batches")
    .values({ id, added_at })
    .onConflict((known) => known.column("id").doNothing())
    .returning("id"),
);
const deleteBatches = prepared((database, before: Instant) =>
  database.deleteFrom("seen_batches").where("added_at", "<", before),
);
const selectByCode = prepared((database, codes: string) =>
  selectVersions(database).where(({ ref }) => engineOf(database).isInTextList(ref("versions.code"), codes)),
);
const selectByName = prepared((database, names: string) =>
  selectVersions(database)
    .where(({ ref }) => engineOf(database).isInTextList(ref("items.name"), names))
    .whereRef("versions.code", "=", "items.current_code"),
);
const selectModes = prepared((database, ids: string) =>
  database
    .selectFrom("workspaces")
    .select(["id", "seen_by"])
    .where(({ ref }) => engineOf(database).isInTextList(ref("id"), ids))
    .orderBy("id")
    .forNoKeyUpdate(),
);
const selectPeople = prepared((database, ids: string) =>
  database
    .selectFrom("users")
    .select("id")
    .where(({ ref }) => engineOf(database).isInTextList(ref("id"), ids))
    .where("deleted_at", "is", null),
);
const insertSeen = prepared((database, list: string) => ({
  compile: () =>
    insertionOf(database, {
      table: "seen",
      columns: ["code", "link", "user_id", "workspace_id", "times", "last_at"],
      list,
      onConflict: sql`on conflict (code, link, user_id) do update set times = seen.times + excluded.times,
        last_at = case when excluded.last_at > seen.last_at then excluded.last_at else seen.last_at end`,
    }).compile(database),
}));

/** Adds what a server counted, as far as the workspaces record it now. Adds each batch once, however often it is tried. */
export async function addSeen(database: Database, { batch, now }: { batch: SeenBatch; now: Instant }): Promise<void> {
  const { id, openings, refusals } = batch;
  const [isNew] = await insertBatch(database, id, now);
  if (isNew === undefined) return;
  await deleteBatches(database, now - BATCH_LIFE);
  const versions = await findVersions(database, batch);
  const people = await findPeople(database, openings);
  const rows = new Map<string, Row>();
  const modes = await lockModes(database, [...versions.values()]);
  const isRecorded = ({ workspaceId }: KnownVersion) => modes.has(workspaceId);
  for (const opening of openings) {
    const version = versions.get(opening.code);
    if (version === undefined || !isRecorded(version)) continue;
    const isNamed = modes.get(version.workspaceId) === "names" && people.has(opening.userId ?? "");
    countOpening(rows, version, opening, isNamed);
  }
  for (const refusal of refusals) {
    const version = versions.get(keyOf(refusal));
    if (version !== undefined && isRecorded(version)) countRefusal(rows, version, refusal);
  }
  await addRows(database, [...rows.values()]);
}

/** Returns the versions that the batch names, by code, and the named reports' current versions by their names. */
async function findVersions(
  database: Database,
  { openings, refusals }: SeenBatch,
): Promise<ReadonlyMap<string, KnownVersion>> {
  const references = refusals.map(({ reference }) => reference);
  const names = references.flatMap((reference) => ("name" in reference ? [reference.name] : []));
  const codes = [
    ...openings.map(({ code }) => code),
    ...references.flatMap((reference) => ("code" in reference ? [reference.code] : [])),
  ];
  const found = new Map<string, KnownVersion>();
  for (const version of await find(selectByCode, database, codes)) found.set(version.code, version);
  for (const version of await find(selectByName, database, names)) {
    if (version.name !== null) found.set(byName(version.name), version);
  }
  return found;
}

/** No code has this form. */
const byName = (name: string) => `/${name}`;

const keyOf = ({ reference }: Refusals) => ("code" in reference ? reference.code : byName(reference.name));

async function find(select: typeof selectByCode, database: Database, keys: readonly string[]): Promise<KnownVersion[]> {
  if (keys.length === 0) return [];
  const rows = await select(database, JSON.stringify([...new Set(keys)]));
  return rows.map(({ itemCreatorId, versionCreatorId, ...version }) => ({
    ...version,
    makers: [itemCreatorId, versionCreatorId],
  }));
}

const selectVersions = (database: Database) =>
  database
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .select([
      "versions.code",
      "items.name",
      "items.workspace_id as workspaceId",
      "items.creator_id as itemCreatorId",
      "versions.creator_id as versionCreatorId",
    ])
    .where("workspaces.seen_by", "is not", null);

/**
 * Returns what workspaces record now. A change of that waits until the batch is added, so that what it deletes includes
 * the batch.
 */
async function lockModes(database: Database, versions: readonly KnownVersion[]): Promise<Modes> {
  const ids = new Set(versions.map(({ workspaceId }) => workspaceId));
  if (ids.size === 0) return new Map();
  const rows = await selectModes(database, JSON.stringify([...ids]));
  return new Map(rows.flatMap(({ id, seen_by }) => (seen_by === null ? [] : [[id, seen_by] as const])));
}

/** Returns the readers of a batch whose accounts still exist. */
async function findPeople(database: Database, openings: readonly Openings[]): Promise<ReadonlySet<string>> {
  const ids = new Set(openings.flatMap(({ userId }) => (userId === null ? [] : [userId])));
  if (ids.size === 0) return ids;
  const rows = await selectPeople(database, JSON.stringify([...ids]));
  return new Set(rows.map(({ id }) => id));
}

/** Counts an opening for everyone and, if the reader is to be named, for them. Makers of a report don't count. */
function countOpening(
  rows: Map<string, Row>,
  { code, workspaceId, makers }: KnownVersion,
  { link, userId, times, lastAt }: Openings,
  isNamed: boolean,
): void {
  if (userId !== null && makers.includes(userId)) return;
  const row = { code, link, workspace_id: workspaceId, times, last_at: lastAt };
  count(rows, { ...row, user_id: EVERYONE });
  if (isNamed && userId !== null) count(rows, { ...row, user_id: userId });
}

const countRefusal = (rows: Map<string, Row>, { code, workspaceId }: KnownVersion, { times, lastAt }: Refusals) =>
  count(rows, { code, link: REFUSED, user_id: EVERYONE, workspace_id: workspaceId, times, last_at: lastAt });

function count(rows: Map<string, Row>, row: Row): void {
  const key = placeOf(row);
  const known = rows.get(key);
  if (known === undefined) rows.set(key, row);
  else rows.set(key, { ...known, times: known.times + row.times, last_at: Math.max(known.last_at, row.last_at) });
}

const placeOf = ({ code, link, user_id }: Row) => `${code} ${link} ${user_id}`;

/** Adds rows in one order, so that two servers that add the same ones don't wait for each other. */
async function addRows(database: Database, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const sorted = rows.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  await insertSeen(database, JSON.stringify(sorted));
}
