import type { MovedTable } from "../engine/moving/tables.ts";
import { search } from "./search.ts";

export const longReads = { search };

export const tables: readonly MovedTable[] = [{ name: "search_codes", key: ["id"], pointsTo: ["items"], counts: true }];
