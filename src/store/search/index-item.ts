import { foldText, searchText, sortText } from "../../domain/search/search-text.ts";
import { engineOf } from "../engine/engine.ts";
import { gramList, gramsOfCode } from "../engine/grams.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";

/** The fields of an item that search uses. */
export interface SearchedItem {
  id: number;
  workspaceId: string;
  name: string | null;
  title: string;
}

/** Returns the columns by which an item is found and sorted. */
export const searchColumns = ({ name, title }: Pick<SearchedItem, "name" | "title">) => ({
  search_text: searchText(name, title),
  sort_title: sortText(title),
  // Sorts after all names.
  sort_name: name ?? "~",
});

const insertItemGrams = prepared((database, rowid: number, grams: string) =>
  database.insertInto("item_grams").values({ rowid, grams }),
);

/** Returns whether replicas of the release before may still read the former index. SQLite has no replicas. */
const hasFormerIndex = (database: Database) => engineOf(database).name === "postgres";

/** Adds a new item to the former index. A trigger logs it for the other one. */
export async function addToIndex(database: Database, { id, workspaceId, name, title }: SearchedItem): Promise<void> {
  if (!hasFormerIndex(database)) return;
  await insertItemGrams(database, id, gramList(workspaceId, searchText(name, title)));
}

/** Updates the index after an item's name or title has changed. */
export async function changeInIndex(database: Database, item: SearchedItem): Promise<void> {
  await database.updateTable("items").set(searchColumns(item)).where("id", "=", item.id).execute();
  await removeFromIndex(database, [item.id]);
  await addToIndex(database, item);
}

export async function removeFromIndex(database: Database, itemIds: readonly number[]): Promise<void> {
  if (!hasFormerIndex(database)) return;
  await database.deleteFrom("item_grams").where("rowid", "in", itemIds).execute();
}

const insertCode = prepared((database, item_id: number, code: string, folded: string) =>
  database.insertInto("search_codes").values({ item_id, code, folded }).returning("id"),
);

const insertCodeGrams = prepared((database, rowid: number, grams: string) =>
  database.insertInto("code_grams").values({ rowid, grams }),
);

/** Adds the code of one version to the index. */
export async function addCodeToIndex(
  database: Database,
  { itemId, workspaceId, code }: { itemId: number; workspaceId: string; code: string },
): Promise<void> {
  const [added] = await insertCode(database, itemId, code, foldText(code));
  if (added !== undefined) await insertCodeGrams(database, added.id, gramsOfCode(workspaceId, code));
}

/** Adds the codes of many versions in one workspace to the index. */
export async function addCodesToIndex(
  database: Database,
  workspaceId: string,
  versions: readonly { item_id: number; code: string }[],
): Promise<void> {
  const rows = versions.map(({ item_id, code }) => ({ item_id, code, folded: foldText(code) }));
  const added = await database.insertInto("search_codes").values(rows).returning(["id", "code"]).execute();
  await database
    .insertInto("code_grams")
    .values(added.map(({ id, code }) => ({ rowid: id, grams: gramsOfCode(workspaceId, code) })))
    .execute();
}

const indexedCodes = (database: Database, codes: string) =>
  database
    .selectFrom("search_codes")
    .select("id")
    .where(({ ref }) => engineOf(database).isInTextList(ref("code"), codes));

const deleteGramsOfCodes = prepared((database, codes: string) =>
  database.deleteFrom("code_grams").where("rowid", "in", indexedCodes(database, codes)),
);

const deleteCodes = prepared((database, codes: string) =>
  database.deleteFrom("search_codes").where("id", "in", indexedCodes(database, codes)),
);

/** Removes the codes of versions from the index. */
export async function removeCodesFromIndex(database: Database, codes: readonly string[]): Promise<void> {
  const list = JSON.stringify(codes);
  await deleteGramsOfCodes(database, list);
  await deleteCodes(database, list);
}
