import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import { governs, type TrashView } from "../../domain/model/access.ts";
import type { Schema } from "../engine/schema.ts";

const where = expressionBuilder<Schema, "deletions">();

/** Returns the condition for what a person sees of a workspace's trash, the same as `authorizeTrashed` allows. */
export function isShown({ workspaceId, reader }: TrashView): Expression<SqlBool> {
  const isThere = [where("workspace_id", "=", workspaceId), where("kind", "is not", null)];
  if (governs(reader)) return where.and(isThere);
  const { userId } = reader;
  const isMade = where.or([where("creator_id", "=", userId), where("version_creator_id", "=", userId)]);
  return where.and([...isThere, isMade]);
}
