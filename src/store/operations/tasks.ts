import { type RawBuilder, sql } from "kysely";
import type { TaskClaim, TaskEnd, TaskLease, TaskState } from "../../domain/operations/ports.ts";
import { databaseNow } from "../engine/now.ts";
import type { Database } from "../engine/schema.ts";
import { bigInteger } from "../model/rows.ts";

const NOT_FINISHED = "The server that ran it stopped without finishing it.";

/**
 * Claims a task if it is due and no other run holds it. A single statement, so that two replicas never claim the same
 * run. A lease that has expired counts as a failed run of its holder.
 */
export async function claimTask(database: Database, claim: TaskClaim): Promise<boolean> {
  const { name, holder, lease, every, retryAfter } = claim;
  const now = databaseNow(database);
  const pause = sql<number>`case when tasks.failures * ${bigInteger(retryAfter)} < ${bigInteger(every)}
    then tasks.failures * ${bigInteger(retryAfter)} else ${bigInteger(every)} end`;
  const start = sql<number>`excluded.last_started_at`;
  /** Also true for a time in the future, which the clock had when it was wrong. */
  const isOver = (since: RawBuilder<number>, time: RawBuilder<number>) =>
    sql<boolean>`(${since} + ${time} <= ${start} or ${since} > ${start})`;
  const wasAbandoned = sql`tasks.holder is not null`;
  /** Returns the value of a column, which differs if the previous run did not finish. */
  const ifAbandoned = <Value>(then: RawBuilder<Value>, otherwise: RawBuilder<Value>) =>
    sql<Value>`case when ${wasAbandoned} then ${then} else ${otherwise} end`;
  const claimed = await database
    .insertInto("tasks")
    .values({ name, holder, last_started_at: now, expires_at: sql<number>`${now} + ${bigInteger(lease)}` })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({
          holder: sql<string>`excluded.holder`,
          last_started_at: start,
          expires_at: sql<number>`excluded.expires_at`,
          failures: ifAbandoned(sql<number>`tasks.failures + 1`, sql<number>`tasks.failures`),
          last_failure_at: ifAbandoned(sql<number>`tasks.expires_at`, sql<number>`tasks.last_failure_at`),
          failure: ifAbandoned(sql<string>`${NOT_FINISHED}`, sql<string>`tasks.failure`),
        })
        .where(
          sql<boolean>`(tasks.holder is null or tasks.expires_at <= ${start}
            or tasks.expires_at > ${start} + 2 * ${bigInteger(lease)})`,
        )
        .where(
          sql<boolean>`(tasks.last_success_started_at is null
            or ${isOver(sql<number>`tasks.last_success_started_at`, bigInteger(every))})`,
        )
        .where(sql<boolean>`(tasks.failures = 0 or ${isOver(sql<number>`tasks.last_failure_at`, pause)})`),
    )
    .returning("name")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Extends a lease. Returns false if another run has taken the task over. */
export async function renewTask(database: Database, { name, holder, lease }: TaskLease): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("tasks")
    .set({ expires_at: sql<number>`${databaseNow(database)} + ${bigInteger(lease)}` })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a run and records how. Returns false, and changes nothing, if another run has taken the task over. */
export async function endTask(database: Database, { name, holder, outcome }: TaskEnd): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("tasks")
    .set({ holder: null, expires_at: null, ...columnsOf(database, outcome) })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function columnsOf(database: Database, outcome: TaskEnd["outcome"]) {
  const now = databaseNow(database);
  if (outcome.kind === "stopped") return {};
  if (outcome.kind === "failed") {
    return { last_failure_at: now, failures: sql<number>`failures + 1`, failure: outcome.reason };
  }
  return {
    last_success_at: now,
    last_success_started_at: sql<number>`last_started_at`,
    failures: 0,
    detail: outcome.detail ?? null,
  };
}

/** Returns the state of every task that has ever run, by name. */
export async function listTasks(database: Database): Promise<TaskState[]> {
  const rows = await database
    .selectFrom("tasks")
    .selectAll()
    .select(
      sql<number>`case when holder is not null and expires_at > ${databaseNow(database)} then 1 else 0 end`.as(
        "running",
      ),
    )
    .orderBy("name")
    .execute();
  return rows.map((row) => ({
    name: row.name,
    holder: row.running === 1 ? (row.holder ?? undefined) : undefined,
    runningSince: row.running === 1 ? row.last_started_at : undefined,
    lastSuccessAt: row.last_success_at ?? undefined,
    lastFailureAt: row.last_failure_at ?? undefined,
    failures: row.failures,
    failure: row.failure ?? undefined,
    detail: row.detail ?? undefined,
  }));
}
