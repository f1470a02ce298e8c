import { sql } from "kysely";
import type { LargestItem, RequestedLargest } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Pace } from "../engine/pace.ts";
import type { Database } from "../engine/schema.ts";
import { readableItem, readableVersion } from "../model/readable.ts";
import { describeItems } from "./describe.ts";

/** Reports whose versions are added up at a time. */
const STEP = 5_000;

interface Row {
  id: number;
  creatorId: string;
  createdAt: number;
}

interface Sized {
  id: number;
  creatorId: string;
  size: number;
}

/**
 * Returns the reports of a workspace whose readable versions take up the most space, largest first. Reads all of the
 * workspace's reports: sizes belong to versions, and no index has their sums.
 */
export async function listLargest(
  database: Database,
  engine: Engine,
  requested: RequestedLargest,
  pace: Pace,
  step: number = STEP,
): Promise<LargestItem[]> {
  let largest: Sized[] = [];
  let last: Row | undefined;
  do {
    pace.check();
    const rows = await nextRows(database, requested, last, step);
    const sized = await addSizes(database, engine, requested, rows);
    largest = [...largest, ...sized].sort(bySize).slice(0, requested.limit);
    last = rows.length < step ? undefined : rows.at(-1);
  } while (last !== undefined);
  return describe(database, engine, largest);
}

const bySize = (one: Sized, other: Sized) => other.size - one.size || one.id - other.id;

/** Reads on in the order of an index. */
const nextRows = (database: Database, { workspaceId, reader }: RequestedLargest, last: Row | undefined, step: number) =>
  database
    .selectFrom("items")
    .select(["id", "creator_id as creatorId", "created_at as createdAt"])
    .where("workspace_id", "=", workspaceId)
    .where(readableItem(reader))
    .$if(last !== undefined, (query) =>
      query.where(sql<boolean>`(items.created_at, items.id) > (${last?.createdAt ?? 0}, ${last?.id ?? 0})`),
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(step)
    .execute();

async function addSizes(
  database: Database,
  engine: Engine,
  { reader }: RequestedLargest,
  rows: readonly Row[],
): Promise<Sized[]> {
  if (rows.length === 0) return [];
  const creators = new Map(rows.map(({ id, creatorId }) => [id, creatorId]));
  const sums = await database
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .select(["versions.item_id as id", sql<number>`cast(sum(versions.size) as bigint)`.as("size")])
    .where(({ ref }) => engine.isOneOfNumbers(ref("versions.item_id"), [...creators.keys()]))
    .where(readableVersion(reader))
    .groupBy("versions.item_id")
    .execute();
  return sums.map(({ id, size }) => ({ id, size, creatorId: creators.get(id) ?? "" }));
}

async function describe(database: Database, engine: Engine, largest: readonly Sized[]): Promise<LargestItem[]> {
  const sizes = new Map(largest.map((one) => [one.id, one]));
  const found = await describeItems(
    database,
    engine,
    largest.map(({ id }) => id),
  );
  return found.flatMap((item) => {
    const sized = sizes.get(item.id);
    return sized === undefined ? [] : [{ ...item, ...sized }];
  });
}
