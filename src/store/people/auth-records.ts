import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import type { AuthCondition, AuthQuery, AuthRow, AuthTable } from "../../domain/people/ports.ts";
import type { Database } from "../engine/schema.ts";

/** The sign-in tables, whose columns Better Auth names at run time. Kysely quotes every name. */
type AnyColumns = Record<AuthTable, AuthRow>;

const overAnyColumns = (database: Database) => database as unknown as Kysely<AnyColumns>;

export async function createAuthRow(
  database: Database,
  { table, row }: { table: AuthTable; row: AuthRow },
): Promise<AuthRow> {
  return overAnyColumns(database).insertInto(table).values(row).returningAll().executeTakeFirstOrThrow();
}

export async function findAuthRows(database: Database, query: AuthQuery): Promise<AuthRow[]> {
  const { table, where, orderBy, limit, offset } = query;
  return overAnyColumns(database)
    .selectFrom(table)
    .selectAll()
    .where((builder) => matching(builder, where))
    .$if(orderBy !== undefined, (select) =>
      select.orderBy(sql.ref(orderBy?.column ?? "id"), orderBy?.isDescending ? "desc" : "asc"),
    )
    .$if(limit !== undefined, (select) => select.limit(limit ?? 0))
    .$if(offset !== undefined && limit !== undefined, (select) => select.offset(offset ?? 0))
    .execute();
}

export async function countAuthRows(
  database: Database,
  { table, where }: { table: AuthTable; where: readonly AuthCondition[] },
): Promise<number> {
  const { count } = await overAnyColumns(database)
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as("count"))
    .where((builder) => matching(builder, where))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Updates rows and returns their new values. */
export async function updateAuthRows(
  database: Database,
  { table, where, changes }: { table: AuthTable; where: readonly AuthCondition[]; changes: AuthRow },
): Promise<AuthRow[]> {
  return overAnyColumns(database)
    .updateTable(table)
    .set(changes)
    .where((builder) => matching(builder, where))
    .returningAll()
    .execute();
}

/** Removes rows and returns their number. */
export async function removeAuthRows(
  database: Database,
  { table, where }: { table: AuthTable; where: readonly AuthCondition[] },
): Promise<number> {
  const removed = await overAnyColumns(database)
    .deleteFrom(table)
    .where((builder) => matching(builder, where))
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}

/** Returns the condition that at least one of the alternatives, if any, and all other conditions hold. */
function matching(
  builder: ExpressionBuilder<AnyColumns, AuthTable>,
  where: readonly AuthCondition[],
): Expression<SqlBool> {
  const all = where.filter((condition) => !condition.isAlternative).map(comparison);
  const alternatives = where.filter((condition) => condition.isAlternative).map(comparison);
  return builder.and(alternatives.length === 0 ? all : [...all, builder.or(alternatives)]);
}

function comparison({ column, operator, value }: AuthCondition): Expression<SqlBool> {
  const left = sql.ref(column);
  if (typeof value === "object" && value !== null) {
    // SQL has no empty lists.
    if (value.length === 0) return operator === "in" ? sql<SqlBool>`1 = 0` : sql<SqlBool>`1 = 1`;
    const list = sql.join([...value]);
    return operator === "in" ? sql<SqlBool>`${left} in (${list})` : sql<SqlBool>`${left} not in (${list})`;
  }
  if (value === null) return operator === "=" ? sql<SqlBool>`${left} is null` : sql<SqlBool>`${left} is not null`;
  return sql<SqlBool>`${left} ${sql.raw(COMPARISONS[operator])} ${value}`;
}

/** An allowlist, because operators are inserted into the SQL unescaped. */
const COMPARISONS = {
  "=": "=",
  "<>": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  in: "=",
  "not in": "<>",
} as const;
