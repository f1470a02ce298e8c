import { sql } from "kysely";
import { governs } from "../../domain/model/access.ts";
import type { Search } from "../../domain/search/ports.ts";
import { gramsOfWord, mayBeInCode } from "../../domain/search/search-text.ts";
import type { Engine } from "../engine/engine.ts";
import { textTerm } from "../engine/postings/terms.ts";
import type { Database } from "../engine/schema.ts";
import { readableVersion } from "../model/readable.ts";

/** A word of a search, and where it occurs outside the text of items. */
export interface RequestedWord {
  text: string;
  /** The numbers of its pieces, empty if no index helps. */
  grams: readonly number[];
  /** Folders with the word in their own or their drawer's title. */
  folderIds: readonly string[];
  tagIds: readonly string[];
  /** Items with the word in a code. Undefined if each item has to be checked. */
  codeItemIds: readonly number[] | undefined;
}

/** The length from which a part of a code is rare enough to list all codes that contain it. */
const LISTED_CODE_PART = 3;

interface Titled {
  id: string;
  search_title: string;
}

/** Looks up words in the titles of drawers, folders and tags, and long enough ones in codes. */
export async function findWords(
  database: Database,
  engine: Engine,
  { workspaceId, words, reader }: Pick<Search, "workspaceId" | "words" | "reader">,
): Promise<RequestedWord[]> {
  if (words.length === 0) return [];
  const [folders, tags] = [
    await findFolders(database, engine, workspaceId, words),
    await findTags(database, engine, workspaceId, words),
  ];
  const keyed = words.map((text) => ({ text, grams: gramsOfWord(text).map((gram) => textTerm(workspaceId, gram)) }));
  const inCodes = await findInCodes(database, engine, reader, keyed);
  return keyed.map(({ text, grams }) => {
    const having = (titled: readonly Titled[]) =>
      titled.filter(({ search_title }) => search_title.includes(text)).map(({ id }) => id);
    return { text, grams, folderIds: having(folders), tagIds: having(tags), codeItemIds: inCodes(text) };
  });
}

/** Finds folders. Returns the drawer's and the folder's title on separate lines, so that no word matches across. */
async function findFolders(
  database: Database,
  engine: Engine,
  workspaceId: string,
  words: readonly string[],
): Promise<Titled[]> {
  const rows = await database
    .selectFrom("folders")
    .leftJoin("drawers", "drawers.id", "folders.drawer_id")
    .select(["folders.id", "folders.search_title", "drawers.search_title as drawer_title"])
    .where("folders.workspace_id", "=", workspaceId)
    .where(({ or, ref }) =>
      or(
        words.flatMap((word) => [
          engine.contains(ref("folders.search_title"), word),
          engine.contains(ref("drawers.search_title"), word),
        ]),
      ),
    )
    .execute();
  return rows.map(({ id, search_title, drawer_title }) => ({
    id,
    search_title: `${drawer_title ?? ""}\n${search_title}`,
  }));
}

function findTags(
  database: Database,
  engine: Engine,
  workspaceId: string,
  words: readonly string[],
): Promise<Titled[]> {
  return database
    .selectFrom("tags")
    .select(["id", "search_title"])
    .where("workspace_id", "=", workspaceId)
    .where(({ or, ref }) => or(words.map((word) => engine.contains(ref("search_title"), word))))
    .execute();
}

/** Looks up all words that are long enough in one query. Returns a function that returns the items of a word. */
async function findInCodes(
  database: Database,
  engine: Engine,
  reader: Search["reader"],
  words: readonly { text: string; grams: readonly number[] }[],
): Promise<(word: string) => readonly number[] | undefined> {
  const listed = words.filter(({ text }) => mayBeInCode(text) && text.length >= LISTED_CODE_PART);
  const [first, ...others] = listed.map(({ text, grams }) =>
    database
      .selectFrom("code_grams")
      .innerJoin("search_codes", "search_codes.id", "code_grams.rowid")
      .select(["search_codes.item_id", sql.val(text).as("word")])
      .where(engine.hasGrams("code_grams", grams))
      .where(({ ref }) => engine.contains(ref("search_codes.folded"), text))
      .$if(!governs(reader), (query) =>
        query
          .innerJoin("versions", "versions.code", "search_codes.code")
          .innerJoin("items", "items.id", "versions.item_id")
          .where(readableVersion(reader)),
      ),
  );
  const rows = first === undefined ? [] : await others.reduce((all, query) => all.unionAll(query), first).execute();
  const found = Map.groupBy(rows, ({ word }) => word);
  return (text) => {
    if (!mayBeInCode(text)) return [];
    // Too many codes contain such a short word.
    if (text.length < LISTED_CODE_PART) return undefined;
    return [...new Set((found.get(text) ?? []).map(({ item_id }) => item_id))];
  };
}
