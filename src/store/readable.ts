import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Role } from "../domain/model.ts";
import type { Schema } from "./schema.ts";

/**
 * The rule of `mayReadItem` in `domain/access.ts`, as a condition on items joined with their current version. The rows
 * have to be of the reader's own workspace already.
 */
export function readableItem(reader: { userId: string; role: Role }): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "items" | "versions">();
  if (reader.role !== "member") return where.lit(true);
  return where.or([
    where("items.creator_id", "=", reader.userId),
    where.and([
      where("items.visibility", "<>", "private"),
      where.or([where("versions.visibility", "<>", "private"), where("versions.creator_id", "=", reader.userId)]),
    ]),
  ]);
}
