import type { Authorized, TrashedItem, TrashView } from "../../domain/model/access.ts";
import type { Instant } from "../../domain/model/entities.ts";
import type { ChangedItems } from "../../domain/trash/ports.ts";
import type { Database } from "../engine/schema.ts";
import { inChunks } from "./belongings.ts";
import { isShown } from "./view.ts";

type Purged = ChangedItems & { entries: number };

export const purgeTrash = (
  database: Database,
  { entries }: { entries: readonly Authorized<"control", TrashedItem>[] },
): Promise<Purged> =>
  purge(
    database,
    entries.map(({ id }) => id),
  );

export async function emptyTrash(
  database: Database,
  { view, until, limit }: { view: Authorized<"control", TrashView>; until: Instant; limit: number },
): Promise<Purged> {
  const rows = await database
    .selectFrom("deletions")
    .select("id")
    .where(isShown(view))
    .where("deleted_at", "<=", until)
    .orderBy("deleted_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return purge(
    database,
    rows.map(({ id }) => id),
  );
}

export async function purgeExpired(
  database: Database,
  { now, limit }: { now: Instant; limit: number },
): Promise<Purged> {
  const rows = await database
    .selectFrom("deletions")
    .select("id")
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(limit)
    .execute();
  return purge(
    database,
    rows.map(({ id }) => id),
    now,
  );
}

/** Entries considered at a time when a trash is too large. */
const EVICTED_AT_ONCE = 200;

/**
 * Deletes the oldest entries of a workspace permanently until its trash is no larger than allowed. Returns the codes of
 * their versions.
 */
export async function evictOldest(database: Database, workspaceId: string, allowance: number): Promise<string[]> {
  const evicted: string[] = [];
  for (;;) {
    const trash = await database
      .selectFrom("trash_sizes")
      .select("bytes")
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    let surplus = (trash?.bytes ?? 0) - allowance;
    if (surplus <= 0) return evicted;
    const oldest = await database
      .selectFrom("deletions")
      .select(["id", "size"])
      .where("workspace_id", "=", workspaceId)
      .where("kind", "is not", null)
      .orderBy("deleted_at")
      .orderBy("id")
      .limit(EVICTED_AT_ONCE)
      .execute();
    const ids: string[] = [];
    for (const { id, size } of oldest) {
      if (surplus <= 0) break;
      ids.push(id);
      surplus -= size ?? 0;
    }
    const { codes, entries } = await purge(database, ids);
    evicted.push(...codes);
    // Another transaction may have purged them already, which this one sees at the next look.
    if (entries === 0 && ids.length === 0) return evicted;
  }
}

/** Deletes entries permanently, and with a report the versions of it that are in the trash on their own. */
async function purge(database: Database, requested: readonly string[], expiredAt?: Instant): Promise<Purged> {
  const purged: Purged = { itemIds: [], codes: [], entries: 0 };
  await inChunks(requested, async (chunk) => {
    const rows = await database
      .selectFrom("deletions")
      .select(["id", "item_id", "kind"])
      .where("id", "in", chunk)
      .$if(expiredAt !== undefined, (query) => query.where("expires_at", "<=", expiredAt ?? 0))
      .orderBy("id")
      .forNoKeyUpdate()
      .execute();
    const reports = rows.flatMap(({ item_id, kind }) => (kind === "report" && item_id !== null ? [item_id] : []));
    const others = await findVersionEntries(database, reports, chunk);
    const ids = [...rows.map(({ id }) => id), ...others];
    if (ids.length === 0) return;
    const retired = await database.selectFrom("retired_codes").select("code").where("deletion_id", "in", ids).execute();
    // The database then forgets the versions, and which deletion kept the codes.
    await database.deleteFrom("deletions").where("id", "in", ids).execute();
    purged.codes.push(...retired.map(({ code }) => code));
    purged.itemIds.push(...rows.flatMap(({ item_id }) => (item_id === null ? [] : [item_id])));
    purged.entries += ids.length;
  });
  return { ...purged, itemIds: [...new Set(purged.itemIds)] };
}

async function findVersionEntries(
  database: Database,
  itemIds: readonly number[],
  known: readonly string[],
): Promise<string[]> {
  if (itemIds.length === 0) return [];
  const rows = await database
    .selectFrom("deletions")
    .select("id")
    .where("kind", "=", "version")
    .where("item_id", "in", itemIds)
    .where("id", "not in", known)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
