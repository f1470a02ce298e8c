import type { Instant } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";

const ONLY = 1;

export async function findInstallation(database: Database): Promise<string | undefined> {
  return (await database.selectFrom("installation").select("id").executeTakeFirst())?.id;
}

/** Sets the id unless another process already has. Returns the id that is set. */
export async function claimInstallation(
  database: Database,
  { id, now }: { id: string; now: Instant },
): Promise<string> {
  await database
    .insertInto("installation")
    .values({ number: ONLY, id, created_at: now })
    .onConflict((conflict) => conflict.column("number").doNothing())
    .execute();
  return (await database.selectFrom("installation").select("id").executeTakeFirstOrThrow()).id;
}

export async function hasReports(database: Database): Promise<boolean> {
  return (await database.selectFrom("versions").select("code").limit(1).executeTakeFirst()) !== undefined;
}
