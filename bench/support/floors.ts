import type { Search } from "../../src/domain/search/ports.ts";
import { gramKey, gramsOfWord } from "../../src/domain/search/search-text.ts";

/** Runs a statement with `?` for its parameters. */
export type RunSql = (text: string, parameters: readonly unknown[]) => Promise<readonly { id: number }[]>;

interface Sql {
  text: string;
  parameters: readonly unknown[];
}

/** The SQL that differs between the two engines. */
export interface Dialect {
  contains(column: string): string;
  hasGrams(table: string): string;
  grams(keys: readonly number[]): unknown;
}

const joined = (parts: readonly Sql[], glue: string): Sql => ({
  text: parts.map(({ text }) => text).join(glue),
  parameters: parts.flatMap(({ parameters }) => parameters),
});

/** Selects folders and tags with a word in their titles. */
const titled = (dialect: Dialect, { workspaceId }: Search, word: string) => ({
  folders: {
    text: `select folders.id from folders left join drawers on drawers.id = drawer_id where folders.workspace_id = ?
      and (${dialect.contains("folders.search_title")} or ${dialect.contains("drawers.search_title")})`,
    parameters: [workspaceId, word, word],
  },
  tags: {
    text: `select id from tags where workspace_id = ? and ${dialect.contains("search_title")}`,
    parameters: [workspaceId, word],
  },
});

/** A condition for items with a word, for a statement that reads items in order. */
function hasWord(dialect: Dialect, search: Search, word: string): Sql {
  const { folders, tags } = titled(dialect, search, word);
  return {
    text: `(${dialect.contains("search_text")} or folder_id in (${folders.text})
      or (select 1 from item_tags where item_id = items.id and tag_id || '' in (${tags.text}) limit 1) is not null
      or (select 1 from search_codes where item_id = items.id and ${dialect.contains("folded")} limit 1) is not null)`,
    parameters: [word, ...folders.parameters, ...tags.parameters, word],
  };
}

/** Selects the items with a word, for a statement that uses the indexes. */
function withWord(dialect: Dialect, search: Search, word: string): Sql {
  const { folders, tags } = titled(dialect, search, word);
  const grams = dialect.grams(gramsOfWord(word).map((gram) => gramKey(search.workspaceId, gram)));
  return {
    text: `select rowid as id from item_grams where ${dialect.hasGrams("item_grams")}
      union select item_id from search_codes where id in (select rowid from code_grams where ${dialect.hasGrams("code_grams")})
      union select id from items where folder_id in (${folders.text})
      union select item_id from item_tags where tag_id in (${tags.text})`,
    parameters: [grams, grams, ...folders.parameters, ...tags.parameters],
  };
}

function filters({ place, tagIds, visibility, isUntagged, authors, since, until }: Search): Sql[] {
  const sql: Sql[] = [];
  if (place === null) sql.push({ text: "folder_id is null", parameters: [] });
  if (place && "folderId" in place) sql.push({ text: "folder_id = ?", parameters: [place.folderId] });
  if (place && "drawerId" in place) {
    sql.push({ text: "folder_id in (select id from folders where drawer_id = ?)", parameters: [place.drawerId] });
  }
  if (visibility !== undefined) sql.push({ text: "visibility = ?", parameters: [visibility] });
  if (since !== undefined) sql.push({ text: "updated_at >= ?", parameters: [since] });
  if (until !== undefined) sql.push({ text: "updated_at < ?", parameters: [until] });
  for (const slug of authors ?? []) {
    const text = `creator_id in (select user_id from memberships join workspaces on workspaces.id = workspace_id
      where slug = ? and kind = 'user')`;
    sql.push({ text, parameters: [slug] });
  }
  if (isUntagged) sql.push({ text: "not exists (select 1 from item_tags where item_id = items.id)", parameters: [] });
  return [...sql, ...tagIds.map(isTagged)];
}

const isTagged = (tagId: string): Sql => ({
  text: "(select 1 from item_tags where item_id = items.id and tag_id = ?) is not null",
  parameters: [tagId],
});

const COLUMNS = { updated: "updated_at", created: "created_at", title: "sort_title", name: "sort_name" } as const;

/**
 * Returns the statements that an expert who knows the data would write for a search: one that reads the workspace in
 * order, and, where an index helps, one that sorts what the index finds.
 */
export function floorsOf(dialect: Dialect, search: Search): Sql[] {
  const { workspaceId, words, order, after, tagIds, place } = search;
  const column = COLUMNS[order.by];
  const direction = order.isDescending ? "desc" : "asc";
  const end = `order by ${column} ${direction}, id ${direction} limit 51`;
  const start: Sql[] =
    after === undefined
      ? []
      : [{ text: `(${column}, id) ${order.isDescending ? "<" : ">"} (?, ?)`, parameters: [after.key, after.id] }];
  const conditions = [
    { text: "workspace_id = ?", parameters: [workspaceId] },
    ...filters(search),
    ...words.map((word) => hasWord(dialect, search, word)),
    ...start,
  ];
  const inOrder = joined(conditions, " and ");
  const floors = [{ text: `select id from items where ${inOrder.text} ${end}`, parameters: inOrder.parameters }];
  const sources = [
    ...words.filter((word) => gramsOfWord(word).length > 0).map((word) => withWord(dialect, search, word)),
    ...tagIds.map((id) => ({ text: "select item_id from item_tags where tag_id = ?", parameters: [id] })),
  ];
  if (sources.length > 0 || place) {
    const found = joined(
      sources.map(({ text, parameters }) => ({ text: `items.id in (${text})`, parameters })),
      " and ",
    );
    const rest = joined([...(sources.length > 0 ? [found] : []), ...filters(search), ...start], " and ");
    floors.push({
      text: `with found as materialized (select id, ${column} from items where ${rest.text}) select id from found ${end}`,
      parameters: rest.parameters,
    });
  }
  return floors;
}
