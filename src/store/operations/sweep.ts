import type { Instant } from "../../domain/model/entities.ts";
import type { DueOrphans, SweepHold } from "../../domain/operations/ports.ts";
import type { Database } from "../engine/schema.ts";

/** The key of the only row of `sweep_hold`. */
const ONLY = 1;

export async function listUnswept(database: Database, limit: number, after = ""): Promise<string[]> {
  const rows = await database
    .selectFrom("retired_codes")
    .select("code")
    .where("swept_at", "is", null)
    .where("deletion_id", "is", null)
    .where("code", ">", after)
    .orderBy("code")
    .limit(limit)
    .execute();
  return rows.map((row) => row.code);
}

export async function markSwept(
  database: Database,
  { codes, now }: { codes: readonly string[]; now: number },
): Promise<void> {
  await database
    .updateTable("retired_codes")
    .set({ swept_at: now })
    .where("code", "in", [...codes])
    .execute();
  for (const table of ["thumbnails", "seen"] as const) {
    await database
      .deleteFrom(table)
      .where("code", "in", [...codes])
      .execute();
  }
  if (codes.length > 0) await removeOrphanedComments(database);
}

/** Deletes the comments of reports that neither exist nor can be restored. */
async function removeOrphanedComments(database: Database): Promise<void> {
  for (const table of ["threads", "review_items", "review_reads"] as const) {
    await database
      .deleteFrom(table)
      .where("item_id", "not in", (query) => query.selectFrom("items").select("id"))
      .where("item_id", "not in", (query) =>
        query.selectFrom("deletions").select("item_id").where("item_id", "is not", null).$castTo<{ item_id: number }>(),
      )
      .execute();
  }
}

/** Returns the codes whose objects must be kept. A single statement, so that a restore can't slip between two reads. */
export async function findLiving(database: Database, codes: readonly string[]): Promise<string[]> {
  const rows = await database
    .selectFrom("versions")
    .select("code")
    .where("code", "in", [...codes])
    .union((query) =>
      query
        .selectFrom("retired_codes")
        .select("code")
        .where("code", "in", [...codes])
        .where("deletion_id", "is not", null),
    )
    .execute();
  return rows.map((row) => row.code);
}

/** Returns those of the codes whose versions were deleted permanently. */
export async function findRetired(database: Database, codes: readonly string[]): Promise<string[]> {
  const rows = await database
    .selectFrom("retired_codes")
    .select("code")
    .where("code", "in", [...codes])
    .where("deletion_id", "is", null)
    .execute();
  return rows.map((row) => row.code);
}

/** Removes expired sessions, invitations, single-use secrets and idempotency keys. */
export async function removeExpired(database: Database, { now }: { now: number }): Promise<void> {
  await database.deleteFrom("sessions").where("expires_at", "<=", now).execute();
  await database.deleteFrom("invitations").where("expires_at", "<=", now).execute();
  await database.deleteFrom("verifications").where("expires_at", "<=", now).execute();
  await database.deleteFrom("request_keys").where("expires_at", "<=", now).execute();
}

export async function noteOrphans(
  database: Database,
  { keys, now }: { keys: readonly string[]; now: Instant },
): Promise<void> {
  if (keys.length === 0) return;
  await database
    .insertInto("orphans")
    .values(keys.map((key) => ({ key, first_seen_at: now, last_seen_at: now, held_at: null, confirmed_at: null })))
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ last_seen_at: now }))
    .execute();
}

export async function forgetOrphans(database: Database, { notSeenSince }: { notSeenSince: Instant }): Promise<void> {
  await database.deleteFrom("orphans").where("last_seen_at", "<", notSeenSince).execute();
}

export async function forgetAllOrphans(database: Database): Promise<void> {
  await database.deleteFrom("orphans").execute();
  await releaseHold(database);
}

export async function removeOrphans(database: Database, { keys }: { keys: readonly string[] }): Promise<void> {
  await database
    .deleteFrom("orphans")
    .where("key", "in", [...keys])
    .execute();
}

export async function countDue(database: Database, { firstSeenUntil }: DueOrphans): Promise<number> {
  const { count } = await database
    .selectFrom("orphans")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("first_seen_at", "<=", firstSeenUntil)
    .where("confirmed_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function listDue(
  database: Database,
  {
    firstSeenUntil,
    onlyConfirmed,
    after,
    limit,
  }: DueOrphans & { onlyConfirmed: boolean; after: string; limit: number },
): Promise<string[]> {
  const rows = await database
    .selectFrom("orphans")
    .select("key")
    .where("first_seen_at", "<=", firstSeenUntil)
    .where("key", ">", after)
    .$if(onlyConfirmed, (query) => query.where("confirmed_at", "is not", null))
    .orderBy("key")
    .limit(limit)
    .execute();
  return rows.map((row) => row.key);
}

export async function holdSweep(
  database: Database,
  { firstSeenUntil, objects, heldAt }: DueOrphans & Omit<SweepHold, "orphans">,
): Promise<void> {
  await database.updateTable("orphans").set({ held_at: null }).where("held_at", "is not", null).execute();
  const { numUpdatedRows } = await database
    .updateTable("orphans")
    .set({ held_at: heldAt })
    .where("first_seen_at", "<=", firstSeenUntil)
    .where("confirmed_at", "is", null)
    .executeTakeFirst();
  const row = { orphans: Number(numUpdatedRows), objects, held_at: heldAt };
  await database
    .insertInto("sweep_hold")
    .values({ number: ONLY, ...row })
    .onConflict((conflict) => conflict.column("number").doUpdateSet(row))
    .execute();
}

export async function releaseHold(database: Database): Promise<void> {
  await database.deleteFrom("sweep_hold").execute();
  await database.updateTable("orphans").set({ held_at: null }).where("held_at", "is not", null).execute();
}

export async function confirmHold(
  database: Database,
  { orphans, now }: { orphans: number; now: Instant },
): Promise<boolean> {
  const { numDeletedRows } = await database.deleteFrom("sweep_hold").where("orphans", "=", orphans).executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await database
    .updateTable("orphans")
    .set({ confirmed_at: now, held_at: null })
    .where("held_at", "is not", null)
    .execute();
  return true;
}

export async function findHold(database: Database): Promise<SweepHold | undefined> {
  return database.selectFrom("sweep_hold").select(["orphans", "objects", "held_at as heldAt"]).executeTakeFirst();
}

export async function listHeld(database: Database, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom("orphans")
    .select("key")
    .where("held_at", "is not", null)
    .orderBy("key")
    .limit(limit)
    .execute();
  return rows.map((row) => row.key);
}
