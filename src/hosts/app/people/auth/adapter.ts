import { type CleanedWhere, createAdapterFactory } from "better-auth/adapters";
import { forbidden } from "../../../../domain/model/failure.ts";
import type { AuthCondition, AuthRecords, AuthRow, AuthTable, AuthValue } from "../../../../domain/people/ports.ts";
import { sessionRef } from "../../../../domain/people/sessions.ts";

const TABLES: readonly AuthTable[] = ["users", "accounts", "sessions", "verifications"];

const OPERATORS: Readonly<Record<string, AuthCondition["operator"]>> = {
  eq: "=",
  ne: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  in: "in",
  not_in: "not in",
};

/** Creates the database adapter for Better Auth. It stores times as milliseconds and booleans as 0 and 1. */
export const createAuthAdapter = (records: AuthRecords) =>
  createAdapterFactory({
    config: {
      adapterId: "vitrine",
      supportsNumericIds: false,
      supportsBooleans: false,
      customTransformInput: ({ data }) => (data instanceof Date ? data.getTime() : data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === "date" && typeof data === "number" ? new Date(data) : data,
    },
    adapter: () => {
      const find = (model: string, where: readonly CleanedWhere[], page: { limit?: number; offset?: number } = {}) =>
        records.findAuthRows({ table: tableOf(model), where: where.map(toCondition), ...page });

      /** Throws `Forbidden` if an operator has disabled the user. Only someone who has proven to be the user gets here. */
      async function requireEnabled(userId: string): Promise<void> {
        const where = [{ column: "id", operator: "=" as const, value: userId, isAlternative: false }];
        const [user] = await records.findAuthRows({ table: "users", where, limit: 1 });
        if (typeof user?.disabled_at === "number") {
          throw forbidden("This account is disabled. Ask an administrator of this server to enable it.");
        }
      }

      return {
        create: async ({ model, data }) => {
          const table = tableOf(model);
          const row = toRow(data);
          if (table === "sessions") await requireEnabled(String(row.user_id));
          const created = await records.createAuthRow({ table, row: table === "sessions" ? asNewSession(row) : row });
          return asResult(created);
        },
        findOne: async ({ model, where }) => {
          const [row] = await find(model, where, { limit: 1 });
          return row ? asResult(row) : null;
        },
        findMany: async ({ model, where = [], limit, offset, sortBy }) => {
          const orderBy = sortBy && { column: sortBy.field, isDescending: sortBy.direction === "desc" };
          const rows = await records.findAuthRows({
            table: tableOf(model),
            where: where.map(toCondition),
            orderBy,
            limit,
            offset,
          });
          return rows.map((row) => asResult(row));
        },
        count: ({ model, where = [] }) =>
          records.countAuthRows({ table: tableOf(model), where: where.map(toCondition) }),
        update: async ({ model, where, update }) => {
          const changes = toRow(update);
          const [row] = await records.updateAuthRows({ table: tableOf(model), where: where.map(toCondition), changes });
          return row ? asResult(row) : null;
        },
        updateMany: async ({ model, where, update }) => {
          const changes = toRow(update);
          return (await records.updateAuthRows({ table: tableOf(model), where: where.map(toCondition), changes }))
            .length;
        },
        delete: async ({ model, where }) => {
          await records.removeAuthRows({ table: tableOf(model), where: where.map(toCondition) });
        },
        deleteMany: ({ model, where }) =>
          records.removeAuthRows({ table: tableOf(model), where: where.map(toCondition) }),
      };
    },
  });

function tableOf(model: string): AuthTable {
  const table = TABLES.find((candidate) => candidate === model);
  if (table === undefined) throw new Error(`Better Auth requested an unknown table: ${model}`);
  return table;
}

function toCondition({ field, operator, value, connector }: CleanedWhere): AuthCondition {
  const known = OPERATORS[operator ?? "eq"];
  if (known === undefined) throw new Error(`Better Auth requested an unsupported operator: ${operator}`);
  return { column: field, operator: known, value: toComparable(value), isAlternative: connector === "OR" };
}

function toComparable(value: unknown): AuthCondition["value"] {
  return Array.isArray(value) ? value.map(toValue).filter((item) => item !== null) : toValue(value);
}

function toValue(value: unknown): AuthValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  throw new Error(`Better Auth passed a value of an unsupported type: ${typeof value}`);
}

const toRow = (data: unknown): AuthRow =>
  Object.fromEntries(Object.entries(data ?? {}).map(([column, value]) => [column, toValue(value)]));

/** Adds Vitrine's own columns to a new session. */
const asNewSession = (row: AuthRow): AuthRow => ({
  ...row,
  ref: sessionRef(String(row.id)),
  authenticated_at: row.created_at ?? 0,
});

/** Casts a row to the type that the factory expects, which an adapter cannot know. */
const asResult = <Result>(row: AuthRow) => row as Result;
