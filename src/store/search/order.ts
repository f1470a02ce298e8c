import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { Search, SearchPlace, Sort } from "../../domain/search/ports.ts";
import type { Database, Schema } from "../engine/schema.ts";

const COLUMNS = {
  updated: "items.updated_at",
  created: "items.created_at",
  title: "items.sort_title",
  name: "items.sort_name",
} as const satisfies Record<Sort, `items.${string}`>;

export const sortColumn = ({ order }: Search) => COLUMNS[order.by];

export const direction = ({ order }: Search) => (order.isDescending ? ("desc" as const) : ("asc" as const));

/** Selects the items of a workspace in the order of a search, without those that are out of its range of that order. */
export const inOrder = (database: Database, search: Search) =>
  (search.order.by === "updated" ? updatedWithin(database, search) : itemsOf(database, search))
    .selectAll("items")
    .orderBy(sortColumn(search), direction(search))
    .orderBy("items.id", direction(search));

const itemsOf = (database: Database, { workspaceId }: Search) =>
  database.selectFrom("items").where("items.workspace_id", "=", workspaceId);

/** Selects the items of a workspace that were updated in the time of a search. */
export const updatedWithin = (database: Database, search: Search) => {
  const { since, until } = search;
  return itemsOf(database, search)
    .$if(since !== undefined, (query) => query.where("items.updated_at", ">=", since ?? 0))
    .$if(until !== undefined, (query) => query.where("items.updated_at", "<", until ?? 0));
};

/** Returns the condition that an item comes after a place in the order of a search. */
export function comesAfter(search: Search, { key, id }: SearchPlace): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "items">();
  const comparison = sql.raw(search.order.isDescending ? "<" : ">");
  return sql<SqlBool>`(${where.ref(sortColumn(search))}, items.id) ${comparison} (${key}, ${id})`;
}
