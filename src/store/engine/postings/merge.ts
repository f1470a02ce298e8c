import { sql } from "kysely";
import type { Visibility } from "../../../domain/model/entities.ts";
import { engineOf } from "../engine.ts";
import type { Database } from "../schema.ts";
import { BLOCK_SIZE, blockOf, placesIn, WIDE_BLOCK, WIDE_IDS } from "./id-set.ts";
import { appendPostings, lockPostings, type Posting, postingsAt } from "./postings.ts";
import { placeTerms, textTerms } from "./terms.ts";

/** What of an item has changed, as `search_changes` has it. */
const TEXT = 1;
const PLACES = 2;
export const TEXT_AND_PLACES = TEXT | PLACES;

/** A posting that is larger has so many duplicates that removing them pays. */
const MOST_BYTES = 4 * BLOCK_SIZE;
const BATCH = 512;

interface IndexedItem {
  id: number;
  workspace_id: string;
  search_text: string;
  folder_id: string | null;
  visibility: Visibility;
  current_visibility: Visibility;
  creator_id: string;
  current_creator_id: string;
}

export interface Entry {
  id: number;
  terms: readonly number[];
}

/**
 * Adds the oldest logged changes to the index, within a transaction, and returns how many. The index only grows: what an
 * item no longer has stays there, and searches check the items that they find.
 */
export async function mergeChanges(database: Database, most = BATCH): Promise<number> {
  await lockPostings(database);
  const { rows: changes } = await sql<{ id: number; item_id: number; parts: number }>`
    select id, item_id, parts from search_changes order by id limit ${sql.lit(most)}`.execute(database);
  if (changes.length === 0) return 0;
  const parts = new Map<number, number>();
  for (const { item_id, parts: part } of changes) parts.set(item_id, (parts.get(item_id) ?? 0) | part);
  await addEntries(database, await findEntries(database, parts));
  // Not all up to the last one, because an earlier one may have been committed since.
  const ids = changes.map(({ id }) => id);
  await sql`delete from search_changes where ${isOneOf(database, "id", ids)}`.execute(database);
  return changes.length;
}

/** Returns what the index has to know of items. */
export async function findEntries(database: Database, parts: ReadonlyMap<number, number>): Promise<Entry[]> {
  if (parts.size === 0) return [];
  const ids = [...parts.keys()];
  const { rows: items } = await sql<IndexedItem>`
    select id, workspace_id, search_text, folder_id, visibility, current_visibility, creator_id, current_creator_id
    from items where ${isOneOf(database, "id", ids)}`.execute(database);
  const { rows: tags } = await sql<{ item_id: number; tag_id: string }>`
    select item_id, tag_id from item_tags where ${isOneOf(database, "item_id", ids)}`.execute(database);
  const tagsOf = Map.groupBy(tags, ({ item_id }) => item_id);
  return items.map((item) => {
    const tagIds = (tagsOf.get(item.id) ?? []).map(({ tag_id }) => tag_id);
    return { id: item.id, terms: termsOf(item, tagIds, parts.get(item.id) ?? 0) };
  });
}

const isOneOf = (database: Database, column: "id" | "item_id", ids: readonly number[]) =>
  engineOf(database).isOneOfNumbers(sql.ref<number>(column), ids);

const termsOf = (item: IndexedItem, tagIds: readonly string[], parts: number): number[] => [
  ...(parts & TEXT ? textTerms(item.workspace_id, item.search_text) : []),
  ...(parts & PLACES
    ? placeTerms(item.workspace_id, {
        folderId: item.folder_id,
        tagIds,
        visibility: item.visibility,
        currentVisibility: item.current_visibility,
        creatorId: item.creator_id,
        currentCreatorId: item.current_creator_id,
      })
    : []),
];

/** Adds items to the postings of their terms. */
export async function addEntries(database: Database, entries: readonly Entry[]): Promise<void> {
  const idsOf = groupByTerm(entries);
  const room = await findRoom(
    database,
    [...idsOf.keys()].filter((term) => term < 0),
  );
  const postings = [...idsOf].flatMap(([term, ids]) => postingsOf(term, ids, room.get(term) ?? WIDE_IDS));
  // In the order of the index, so that each of its pages is written once.
  postings.sort((one, other) => one.block - other.block || one.term - other.term);
  const sizes = await appendPostings(database, postings);
  for (const { block, term, bytes } of sizes) if (bytes > MOST_BYTES) await removeDuplicates(database, block, term);
}

/** Returns the ids of the items with each term. */
export function groupByTerm(entries: readonly Entry[]): Map<number, number[]> {
  const idsOf = new Map<number, number[]>();
  for (const { id, terms } of entries) {
    for (const term of new Set(terms)) {
      const ids = idsOf.get(term);
      if (ids === undefined) idsOf.set(term, [id]);
      else ids.push(id);
    }
  }
  return idsOf;
}

/** Returns how many more ids fit into the wide lists of places. */
async function findRoom(database: Database, terms: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ term: number; bytes: number }>`
    select term, octet_length(ids) as bytes ${postingsAt(database, [WIDE_BLOCK], terms)}`.execute(database);
  return new Map(rows.map(({ term, bytes }) => [term, Math.max(0, WIDE_IDS - bytes / 4)]));
}

/** Returns the postings for more items with a term. Only places have wide lists, because their terms rarely change. */
function postingsOf(term: number, ids: readonly number[], room: number): Posting[] {
  const wide = term < 0 ? ids.slice(0, room) : [];
  const rest = Map.groupBy(ids.slice(wide.length), blockOf);
  return [
    ...(wide.length === 0 ? [] : [{ block: WIDE_BLOCK, term, ids: bytesOf(Uint32Array.from(wide)) }]),
    ...Array.from(rest, ([block, own]) => ({ block, term, ids: bytesOf(Uint16Array.from(own, placeOf)) })),
  ];
}

const placeOf = (id: number) => id % BLOCK_SIZE;
const bytesOf = ({ buffer }: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) => new Uint8Array(buffer);

async function removeDuplicates(database: Database, block: number, term: number): Promise<void> {
  const { rows } = await sql<Posting>`
    select block, term, ids from search_postings where block = ${block} and term = ${term}`.execute(database);
  for (const { ids } of rows) {
    const places = Uint16Array.from(new Set(placesIn(ids)));
    await sql`update search_postings set ids = ${bytesOf(places)}
      where block = ${block} and term = ${term}`.execute(database);
  }
}

/** Adds whole items to the index, which covers all that was logged about them. */
export async function indexItems(database: Database, ids: readonly number[]): Promise<void> {
  const parts = new Map(ids.map((id) => [id, TEXT_AND_PLACES]));
  await addEntries(database, await findEntries(database, parts));
  await sql`delete from search_changes where ${isOneOf(database, "item_id", ids)}`.execute(database);
}

/** The items to index at once during a rebuild. */
const LARGE_BATCH = 16_384;

/** Rebuilds the index of a database that has no other writers. */
export async function rebuildPostings(database: Database): Promise<void> {
  await sql`delete from search_postings`.execute(database);
  await sql`delete from search_changes`.execute(database);
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select id from items where id > ${last} order by id limit ${sql.lit(LARGE_BATCH)}`.execute(database);
    await addEntries(database, await findEntries(database, new Map(rows.map(({ id }) => [id, TEXT_AND_PLACES]))));
    if (rows.length < LARGE_BATCH) return;
    last = rows.at(-1)?.id ?? last;
  }
}
