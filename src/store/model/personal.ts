import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { Sharing } from "../../domain/model/access.ts";
import type { Visibility, WorkspaceKind } from "../../domain/model/entities.ts";
import { ALL_ORGANIZATIONS } from "../../domain/sharing/ports.ts";
import type { Schema } from "../engine/schema.ts";

/** A person whose access a query looks up. */
export interface PersonOperands {
  userId: string | Expression<string>;
  /** The address that they have verified; null if they have not. */
  email: string | null | Expression<string | null>;
}

// Literals, because every parameter of a prepared query must be an input.
const ORGANIZATION = sql<WorkspaceKind>`'org'`;
const PERSON = sql<WorkspaceKind>`'user'`;
const SHARED = sql<Visibility>`'org'`;
const EVERY = sql<string>`${sql.lit(ALL_ORGANIZATIONS)}`;

type Tables = "items" | "versions" | "workspaces";

const where = expressionBuilder<Schema, Tables>();

/** The verified address of a user in a join with `users`. */
export const verifiedEmail = sql<string | null>`case when users.email_verified = 1 then users.email end`;

/** Returns the condition that `items` is shared with the person by name. */
export const namesItem = ({ email }: PersonOperands): Expression<SqlBool> =>
  where.exists(
    where
      .selectFrom("shared_people")
      .select("shared_people.id")
      .whereRef("shared_people.item_id", "=", "items.id")
      .where("shared_people.code", "is", null)
      .where("shared_people.email", "=", sql<string>`${email}`),
  );

/** Returns the condition that `versions` is shared with the person by name. */
export const namesVersion = ({ email }: PersonOperands): Expression<SqlBool> =>
  where.exists(
    where
      .selectFrom("shared_people")
      .select("shared_people.id")
      .whereRef("shared_people.code", "=", "versions.code")
      .where("shared_people.email", "=", sql<string>`${email}`),
  );

/**
 * Returns the condition that `workspaces` belongs to a person who shares an organization with this one, and that the
 * report is shared with that organization. Only one visibility depends on it, so the others skip the subquery.
 */
const isWithColleagues = (
  visibility: "items.visibility" | "versions.visibility",
  organization: Expression<string | null>,
  { userId }: PersonOperands,
): Expression<SqlBool> =>
  where.and([
    where(visibility, "=", SHARED),
    where("workspaces.kind", "=", PERSON),
    where.exists(
      where
        .selectFrom("memberships as host")
        .innerJoin("memberships as shared", "shared.user_id", "host.user_id")
        .innerJoin("workspaces as organization", "organization.id", "shared.workspace_id")
        .innerJoin("memberships as own", "own.workspace_id", "organization.id")
        .select("host.user_id")
        .whereRef("host.workspace_id", "=", "workspaces.id")
        .where("own.user_id", "=", sql<string>`${userId}`)
        .where("organization.kind", "=", ORGANIZATION)
        .where(sql<SqlBool>`coalesce(${organization}, ${EVERY}) in (${EVERY}, organization.id)`),
    ),
  ]);

/** The organization that a version is shared with, in a join with its report. */
export const organizationOfVersion = sql<string | null>`coalesce(versions.organization_id, items.organization_id)`;

/** Returns what the rule asks about a person, for a join of `items`, `versions` and `workspaces`. */
export const personalFacts = (person: PersonOperands) => ({
  item: {
    isNamed: namesItem(person),
    isWithColleagues: isWithColleagues("items.visibility", where.ref("items.organization_id"), person),
  },
  version: {
    isNamed: namesVersion(person),
    isWithColleagues: isWithColleagues("versions.visibility", organizationOfVersion, person),
  },
});

/** Returns the columns that `toSharing` reads. */
export function sharingColumns(person: PersonOperands) {
  const { item, version } = personalFacts(person);
  return [
    sql<SqlBool>`${item.isNamed}`.as("item_is_named"),
    sql<SqlBool>`${item.isWithColleagues}`.as("item_is_with_colleagues"),
    sql<SqlBool>`${version.isNamed}`.as("version_is_named"),
    sql<SqlBool>`${version.isWithColleagues}`.as("version_is_with_colleagues"),
  ] as const;
}

export interface SharingRow {
  item_is_named: SqlBool | null;
  item_is_with_colleagues: SqlBool | null;
  version_is_named: SqlBool | null;
  version_is_with_colleagues: SqlBool | null;
}

/** Returns the facts of a row. SQLite returns numbers for booleans, and either engine null for what it doesn't know. */
export const toSharing = (row: Partial<SharingRow>): Sharing => ({
  item: { isNamed: Boolean(row.item_is_named), isWithColleagues: Boolean(row.item_is_with_colleagues) },
  version: { isNamed: Boolean(row.version_is_named), isWithColleagues: Boolean(row.version_is_with_colleagues) },
});
