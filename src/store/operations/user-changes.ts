import type { Instant } from "../../domain/model/entities.ts";
import type { UserChange } from "../../domain/operations/administration-ports.ts";
import type { Database } from "../engine/schema.ts";

export async function setOperator(
  database: Database,
  { userId, isOperator, now }: UserChange & { isOperator: boolean; now: Instant },
): Promise<void> {
  await database
    .updateTable("users")
    .set({ is_operator: Number(isOperator), updated_at: now })
    .where("id", "=", userId)
    .execute();
}

/** Disables a user and ends their sessions. Keeps the time if the user is disabled already. */
export async function disableUser(database: Database, { userId, now }: UserChange & { now: Instant }): Promise<void> {
  await database
    .updateTable("users")
    .set({ disabled_at: now, updated_at: now })
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .execute();
  await database.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

export async function enableUser(database: Database, { userId, now }: UserChange & { now: Instant }): Promise<void> {
  await database
    .updateTable("users")
    .set({ disabled_at: null, updated_at: now })
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .execute();
}
