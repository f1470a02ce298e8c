import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Reader } from "../../domain/model/entities.ts";
import type { Schema } from "../engine/schema.ts";

/** The rule of `mayReadAsItem` in `domain/model/access.ts`, as a condition on items of a workspace that the reader is in. */
export function readableItem(reader: Reader): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "items">();
  if (reader.role !== "member") return where.lit(true);
  return where.or([
    where("items.creator_id", "=", reader.userId),
    where.and([
      where("items.visibility", "<>", "private"),
      where.or([
        where("items.current_visibility", "<>", "private"),
        where("items.current_creator_id", "=", reader.userId),
      ]),
    ]),
  ]);
}

/** The same of versions, joined with their item: who may see an item may not see each of its versions. */
export function readableVersion(reader: Reader): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "items" | "versions">();
  if (reader.role !== "member") return where.lit(true);
  return where.or([
    where("versions.visibility", "<>", "private"),
    where("versions.creator_id", "=", reader.userId),
    where("items.creator_id", "=", reader.userId),
  ]);
}
