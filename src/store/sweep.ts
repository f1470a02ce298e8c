import type { Database } from "./schema.ts";

export async function listUnswept(database: Database, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom("retired_codes")
    .select("code")
    .where("swept_at", "is", null)
    .where("deletion_id", "is", null)
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
}

/** One statement, so that a version that is being restored is found in one of the tables. */
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

/** Removes expired sessions, invitations, one-time secrets and keys of requests, and makes expired deletions permanent. */
export async function removeExpired(database: Database, { now }: { now: number }): Promise<void> {
  await database.deleteFrom("deletions").where("expires_at", "<=", now).execute();
  await database.deleteFrom("sessions").where("expires_at", "<=", now).execute();
  await database.deleteFrom("invitations").where("expires_at", "<=", now).execute();
  await database.deleteFrom("verifications").where("expires_at", "<=", now).execute();
  await database.deleteFrom("request_keys").where("expires_at", "<=", now).execute();
}
