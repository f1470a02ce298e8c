import { governs } from "../../domain/model/access.ts";
import type { Search } from "../../domain/search/ports.ts";
import { gramKey, gramsOfWord, mayBeInCode } from "../../domain/search/search-text.ts";
import type { Engine } from "../engine/engine.ts";
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
  const found: RequestedWord[] = [];
  for (const text of words) {
    const grams = gramsOfWord(text).map((gram) => gramKey(workspaceId, gram));
    const having = (titled: readonly Titled[]) =>
      titled.filter(({ search_title }) => search_title.includes(text)).map(({ id }) => id);
    const codeItemIds = await findInCodes(database, engine, reader, text, grams);
    found.push({ text, grams, folderIds: having(folders), tagIds: having(tags), codeItemIds });
  }
  return found;
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

async function findInCodes(
  database: Database,
  engine: Engine,
  reader: Search["reader"],
  word: string,
  grams: readonly number[],
): Promise<number[] | undefined> {
  if (!mayBeInCode(word)) return [];
  // Too many codes contain such a short word.
  if (word.length < LISTED_CODE_PART) return undefined;
  const rows = await database
    .selectFrom("code_grams")
    .innerJoin("search_codes", "search_codes.id", "code_grams.rowid")
    .select("search_codes.item_id")
    .where(engine.hasGrams("code_grams", grams))
    .where(({ ref }) => engine.contains(ref("search_codes.folded"), word))
    .$if(!governs(reader), (query) =>
      query
        .innerJoin("versions", "versions.code", "search_codes.code")
        .innerJoin("items", "items.id", "versions.item_id")
        .where(readableVersion(reader)),
    )
    .execute();
  return [...new Set(rows.map(({ item_id }) => item_id))];
}
