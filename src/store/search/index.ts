import type { MovedTable } from "../engine/moving/tables.ts";
import { mergeChanges } from "../engine/postings/merge.ts";
import type { Database } from "../engine/schema.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { search } from "./search.ts";

/** Adds logged changes to the index. Returns how many, at most a few hundred. */
const updateIndex = (database: Database): Promise<number> => mergeChanges(database);

export const longReads = { search };
export const writes = { updateIndex };
export const records: Records<typeof writes> = {
  updateIndex: unrecorded("The server maintains its own index."),
};

export const tables: readonly MovedTable[] = [{ name: "search_codes", key: ["id"], pointsTo: ["items"], counts: true }];
