import { sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { Openings, Refusals, SeenBatch } from "../../domain/seen/ports.ts";
import type { Database } from "../engine/schema.ts";

/** The link of attempts by people who may not read the report. */
export const REFUSED = "refused";
/** The user of rows that count all readers. */
export const EVERYONE = "";
const ROWS_AT_ONCE = 500;
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

/** Adds what a server counted, as far as the workspaces record it now. Adds each batch once, however often it is tried. */
export async function addSeen(database: Database, { batch, now }: { batch: SeenBatch; now: Instant }): Promise<void> {
  const { id, openings, refusals } = batch;
  const isNew = await database
    .insertInto("seen_batches")
    .values({ id, added_at: now })
    .onConflict((known) => known.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (isNew === undefined) return;
  await database
    .deleteFrom("seen_batches")
    .where("added_at", "<", now - BATCH_LIFE)
    .execute();
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
  for (const version of await selectVersions(database, "versions.code", codes)) found.set(version.code, version);
  for (const version of await selectVersions(database, "items.name", names)) {
    if (version.name !== null) found.set(byName(version.name), version);
  }
  return found;
}

/** No code has this form. */
const byName = (name: string) => `/${name}`;

const keyOf = ({ reference }: Refusals) => ("code" in reference ? reference.code : byName(reference.name));

async function selectVersions(
  database: Database,
  column: "versions.code" | "items.name",
  values: readonly string[],
): Promise<KnownVersion[]> {
  if (values.length === 0) return [];
  const rows = await database
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
    .where(column, "in", [...new Set(values)])
    .where("workspaces.seen_by", "is not", null)
    .$if(column === "items.name", (query) => query.whereRef("versions.code", "=", "items.current_code"))
    .execute();
  return rows.map(({ itemCreatorId, versionCreatorId, ...version }) => ({
    ...version,
    makers: [itemCreatorId, versionCreatorId],
  }));
}

/**
 * Returns what workspaces record now. A change of that waits until the batch is added, so that what it deletes includes
 * the batch.
 */
async function lockModes(database: Database, versions: readonly KnownVersion[]): Promise<Modes> {
  const ids = new Set(versions.map(({ workspaceId }) => workspaceId));
  if (ids.size === 0) return new Map();
  const rows = await database
    .selectFrom("workspaces")
    .select(["id", "seen_by"])
    .where("id", "in", [...ids])
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.flatMap(({ id, seen_by }) => (seen_by === null ? [] : [[id, seen_by] as const])));
}

/** Returns the readers of a batch whose accounts still exist. */
async function findPeople(database: Database, openings: readonly Openings[]): Promise<ReadonlySet<string>> {
  const ids = new Set(openings.flatMap(({ userId }) => (userId === null ? [] : [userId])));
  if (ids.size === 0) return ids;
  const rows = await database
    .selectFrom("users")
    .select("id")
    .where("id", "in", [...ids])
    .where("deleted_at", "is", null)
    .execute();
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
  const sorted = rows.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  for (let start = 0; start < sorted.length; start += ROWS_AT_ONCE) {
    await database
      .insertInto("seen")
      .values(sorted.slice(start, start + ROWS_AT_ONCE))
      .onConflict((known) =>
        known.columns(["code", "link", "user_id"]).doUpdateSet({
          times: sql`seen.times + excluded.times`,
          last_at: sql`case when excluded.last_at > seen.last_at then excluded.last_at else seen.last_at end`,
        }),
      )
      .execute();
  }
}
