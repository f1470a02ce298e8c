import type { Instant } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";

/**
 * Writes a row and deletes it. Committing that is durable like any other change, although nothing is left of it. The row is
 * among those that live for a short time; its id is its own, so that replicas never wait for one another.
 */
export async function writeProbe(database: Database, { id, now }: { id: string; now: Instant }): Promise<void> {
  await database
    .insertInto("verifications")
    .values({ id, identifier: "probe", value: "", expires_at: now, created_at: now, updated_at: now })
    .execute();
  await database.deleteFrom("verifications").where("id", "=", id).execute();
}
