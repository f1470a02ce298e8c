import { sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { FoundDamage, ScrubProgress } from "../../domain/operations/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";

/** The key of the only row of `scrub`. */
const ONLY = 1;

/** Returns the number and the size of all versions, those in the trash included. */
export async function measurePublished(
  database: Database,
  _: Engine,
  __: undefined,
): Promise<{ objects: number; bytes: number }> {
  const sizes = database
    .selectFrom("versions")
    .select("size")
    .unionAll(database.selectFrom("trashed_versions").select("size"));
  return database
    .selectFrom(sizes.as("objects"))
    .select(({ fn }) => [
      fn.countAll<number>().as("objects"),
      // PostgreSQL sums big integers as `numeric`, which arrives as text.
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as("bytes"),
    ])
    .executeTakeFirstOrThrow();
}

export async function findScrub(database: Database): Promise<ScrubProgress | undefined> {
  const row = await database.selectFrom("scrub").selectAll().executeTakeFirst();
  if (row === undefined) return undefined;
  const { started_at: startedAt, after, objects, bytes, last_finished_at: finishedAt } = row;
  return { startedAt, after, objects, bytes, lastFinishedAt: finishedAt ?? undefined };
}

/** Saves the progress, unless another run has come further or has started the next round. */
export async function saveScrub(
  database: Database,
  { startedAt, after, objects, bytes, lastFinishedAt }: ScrubProgress,
): Promise<void> {
  const row = { started_at: startedAt, after, objects, bytes, last_finished_at: lastFinishedAt ?? null };
  await database
    .insertInto("scrub")
    .values({ number: ONLY, ...row })
    .onConflict((conflict) =>
      conflict
        .column("number")
        .doUpdateSet(row)
        .where(({ eb, or, and }) =>
          or([
            eb("scrub.started_at", "<", startedAt),
            and([eb("scrub.started_at", "=", startedAt), eb("scrub.objects", "<=", objects)]),
          ]),
        ),
    )
    .execute();
}

/** Records a damaged object. Returns whether it wasn't known before. */
export async function noteDamage(
  database: Database,
  { key, code, problem, now }: { key: string; code: string; problem: string; now: Instant },
): Promise<boolean> {
  const { found_at } = await database
    .insertInto("damaged_objects")
    .values({ key, code, problem, found_at: now, checked_at: now })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ problem, checked_at: now }))
    .returning("found_at")
    .executeTakeFirstOrThrow();
  return found_at === now;
}

export async function forgetDamage(database: Database, { keys }: { keys: readonly string[] }): Promise<void> {
  if (keys.length === 0) return;
  await database
    .deleteFrom("damaged_objects")
    .where("key", "in", [...keys])
    .execute();
}

/** Returns damaged objects, those first that were checked the longest ago. */
export async function listDamage(database: Database, limit: number): Promise<FoundDamage[]> {
  return database
    .selectFrom("damaged_objects")
    .select(["key", "code", "problem", "found_at as foundAt", "checked_at as checkedAt"])
    .orderBy("checked_at")
    .orderBy("key")
    .limit(limit)
    .execute();
}

export async function countDamage(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom("damaged_objects")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}
