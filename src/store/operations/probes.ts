import type { Instant } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";

/**
 * Writes and deletes a row, to test that the database can commit changes. Uses a table of short-lived rows and a unique
 * id, so that replicas never wait for one another.
 */
export async function writeProbe(database: Database, { id, now }: { id: string; now: Instant }): Promise<void> {
  await database
    .insertInto("verifications")
    .values({ id, identifier: "probe", value: "", expires_at: now, created_at: now, updated_at: now })
    .execute();
  await database.deleteFrom("verifications").where("id", "=", id).execute();
}
