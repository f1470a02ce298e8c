import type { MovedTable } from "../engine/moving/tables.ts";
import { mergeChanges } from "../engine/postings/merge.ts";
import type { Database } from "../engine/schema.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { findItems } from "./find-items.ts";
import { listLargest } from "./largest.ts";
import { addFilter, listFilters, removeFilter, renameFilter } from "./saved-filters.ts";
import { search } from "./search.ts";

/** Adds logged changes to the index. Returns how many, at most a few hundred. */
const updateIndex = (database: Database): Promise<number> => mergeChanges(database);

export const reads = { listFilters };
export const longReads = { search, findItems };
export const slowReads = { listLargest };
export const writes = { updateIndex, addFilter, renameFilter, removeFilter };
export const inBackground: readonly (keyof typeof writes)[] = ["updateIndex"];

const keeping = unrecorded("A saved filter changes neither a report nor who may read it.");

export const records: Records<typeof writes> = {
  updateIndex: unrecorded("The server maintains its own index."),
  addFilter: keeping,
  renameFilter: keeping,
  removeFilter: keeping,
};

export const tables: readonly MovedTable[] = [
  { name: "search_codes", key: ["id"], pointsTo: ["items"], counts: true },
  { name: "saved_filters", key: ["id"], pointsTo: ["users", "workspaces"] },
];
