import { type Selectable, sql } from "kysely";
import type { BackupEnd, BackupLease, BackupRun } from "../../domain/operations/backup/ports.ts";
import { databaseNow } from "../engine/now.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { bigInteger } from "../model/rows.ts";

/** Milliseconds after which the record of a run is deleted. */
const RECORD_LIFETIME = 400 * 24 * 60 * 60_000;
const STOPPED = "It was stopped before it had finished.";

/** Records the start of a run, which keeps all objects from being deleted until it ends or its lease expires. */
export async function startBackup(
  database: Database,
  { id, target, lease }: BackupLease & { target: string },
): Promise<void> {
  const now = databaseNow(database);
  await database
    .deleteFrom("backups")
    .where("started_at", "<", sql<number>`${now} - ${bigInteger(RECORD_LIFETIME)}`)
    .execute();
  // A target admits one run at a time, so the earlier ones have died.
  await database
    .updateTable("backups")
    .set({ state: "failed", finished_at: now, problem: STOPPED })
    .where("target", "=", target)
    .where("state", "=", "running")
    .execute();
  await database
    .insertInto("backups")
    .values({ id, target, state: "running", started_at: now, expires_at: sql<number>`${now} + ${bigInteger(lease)}` })
    .execute();
}

/** Extends the lease of a run. Returns false if it has expired, because objects may have been deleted since. */
export async function renewBackup(database: Database, { id, lease }: BackupLease): Promise<boolean> {
  const now = databaseNow(database);
  const { numUpdatedRows } = await database
    .updateTable("backups")
    .set({ expires_at: sql<number>`${now} + ${bigInteger(lease)}` })
    .where("id", "=", id)
    .where("state", "=", "running")
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records the end of a run. */
export async function endBackup(database: Database, { id, ...end }: BackupEnd): Promise<void> {
  const outcome =
    end.state === "failed"
      ? { problem: end.problem }
      : {
          backup: end.backup,
          problem: end.problem ?? null,
          objects: end.objects,
          bytes: end.bytes,
          copied_bytes: end.copiedBytes,
        };
  await database
    .updateTable("backups")
    .set({ state: end.state, finished_at: databaseNow(database), ...outcome })
    .where("id", "=", id)
    .execute();
}

/** Returns whether a backup is in progress, so that no object may be deleted. */
export async function isBackingUp(database: Database): Promise<boolean> {
  const running = await database
    .selectFrom("backups")
    .select("id")
    .where("state", "=", "running")
    .where("expires_at", ">", databaseNow(database))
    .limit(1)
    .executeTakeFirst();
  return running !== undefined;
}

/** Returns the run that was started last. */
export async function findLastBackup(database: Database): Promise<BackupRun | undefined> {
  const row = await database
    .selectFrom("backups")
    .selectAll()
    .select(sql<number>`case when expires_at > ${databaseNow(database)} then 1 else 0 end`.as("is_held"))
    .orderBy("started_at", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && toRun(row);
}

function toRun(row: Selectable<Schema["backups"]> & { is_held: number }): BackupRun {
  const hasDied = row.state === "running" && row.is_held === 0;
  return {
    id: row.id,
    target: row.target,
    state: hasDied ? "failed" : row.state,
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
    backup: row.backup ?? undefined,
    problem: hasDied ? STOPPED : (row.problem ?? undefined),
    objects: row.objects ?? undefined,
    bytes: row.bytes ?? undefined,
    copiedBytes: row.copied_bytes ?? undefined,
  };
}

/** Ends all runs in a copy of a database, which no run can be using. */
export async function forgetRunningBackups(database: Database): Promise<void> {
  await database.deleteFrom("backups").where("state", "=", "running").execute();
}
