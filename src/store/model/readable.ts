import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import { governs } from "../../domain/model/access.ts";
import type { Person, Reader, Role, Visibility } from "../../domain/model/entities.ts";
import { type Logic, readingRule, type SubjectFacts } from "../../domain/model/reading-rule.ts";
import type { Schema } from "../engine/schema.ts";
import { personalFacts } from "./personal.ts";

/** A boolean if the answer doesn't depend on the row. */
export type Condition = boolean | Expression<SqlBool>;

const where = expressionBuilder<Schema, "items" | "versions">();

/** Leaves out constant conditions, so that a query tests only what differs between rows. */
const inSql: Logic<Condition> = {
  all: (conditions) => simplify(conditions, true, where.and),
  any: (conditions) => simplify(conditions, false, where.or),
};

function simplify(
  conditions: readonly Condition[],
  neutral: boolean,
  join: (expressions: readonly Expression<SqlBool>[]) => Expression<SqlBool>,
): Condition {
  if (conditions.includes(!neutral)) return !neutral;
  const expressions = conditions.filter((condition) => typeof condition !== "boolean");
  return expressions.length === 0 ? neutral : join(expressions);
}

const toExpression = (condition: Condition): Expression<SqlBool> =>
  typeof condition === "boolean" ? where.lit(condition) : condition;

const rule = readingRule(inSql);

/** A member of the workspace; what a statement is given may be an expression. */
interface MemberOperands {
  userId: string | Expression<string>;
  governs: Condition;
}

type VisibilityColumn = "items.visibility" | "items.current_visibility" | "versions.visibility";
type CreatorColumn = "items.creator_id" | "items.current_creator_id" | "versions.creator_id";

const subjectOf = (
  { userId }: MemberOperands,
  visibility: VisibilityColumn,
  creator: CreatorColumn,
): SubjectFacts<Condition> => ({
  // Literals: parameters would be inputs of prepared queries.
  isOneOf: (visibilities) =>
    where(
      visibility,
      "in",
      visibilities.map((one) => sql.lit<Visibility>(one)),
    ),
  isByReader: where(creator, "=", userId),
  // What is shared with people by name is listed apart from the workspace's reports.
  isNamed: false,
  isWithColleagues: false,
});

const factsOf = (member: MemberOperands) => ({
  reader: { isMember: true, governs: member.governs },
  item: subjectOf(member, "items.visibility", "items.creator_id"),
});

const operandsOf = (reader: Reader): MemberOperands => ({ userId: reader.userId, governs: governs(reader) });

/** Returns the reading rule as a condition on `items`, shown by their current versions, for a member of their workspace. */
export function readableItemBy(member: MemberOperands): Expression<SqlBool> {
  const version = subjectOf(member, "items.current_visibility", "items.current_creator_id");
  return toExpression(rule.allowsItem({ ...factsOf(member), version }));
}

/** Returns the reading rule as a condition on `items` for a member of their workspace. */
export const readableItem = (reader: Reader): Expression<SqlBool> => readableItemBy(operandsOf(reader));

/** Returns the reading rule as a condition on `versions` joined with `items`, for a member of their workspace. */
export function readableVersion(reader: Reader): Expression<SqlBool> {
  const member = operandsOf(reader);
  const version = subjectOf(member, "versions.visibility", "versions.creator_id");
  return toExpression(rule.allowsVersion({ ...factsOf(member), version }));
}

/**
 * Returns the reading rule as a condition on `versions` joined with `items` and `workspaces`, for any person: member of the
 * workspace or not.
 */
export function readableVersionFor({ role, ...person }: Person & { role: Role | null }): Expression<SqlBool> {
  const personal = personalFacts({ userId: person.userId, email: person.verifiedEmail });
  const operands = { userId: person.userId, governs: role !== null && governs({ role }) };
  const { item, reader } = factsOf(operands);
  const version = subjectOf(operands, "versions.visibility", "versions.creator_id");
  return toExpression(
    rule.allowsVersion({
      reader: { ...reader, isMember: role !== null },
      item: { ...item, ...personal.item },
      version: { ...version, ...personal.version },
    }),
  );
}

/**
 * Returns the condition on `items` joined with their current `versions` and `workspaces` that a report is shared with a
 * person personally. They need not be a member of the workspace.
 */
export function sharedItemFor(person: Person): Expression<SqlBool> {
  const personal = personalFacts({ userId: person.userId, email: person.verifiedEmail });
  const operands = { userId: person.userId, governs: false };
  return toExpression(
    rule.sharesItem({
      reader: { isMember: false, governs: false },
      item: { ...subjectOf(operands, "items.visibility", "items.creator_id"), ...personal.item },
      version: { ...subjectOf(operands, "versions.visibility", "versions.creator_id"), ...personal.version },
    }),
  );
}
