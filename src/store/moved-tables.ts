import * as capabilities from "./capabilities.ts";
import { type MovedTable, sortByReferences } from "./engine/moving/tables.ts";

const tables = Object.values(capabilities).flatMap((capability): readonly MovedTable[] =>
  "tables" in capability ? capability.tables : [],
);

/** All tables except the search indexes, which are rebuilt because each engine stores them differently. */
export const MOVED_TABLES: readonly MovedTable[] = sortByReferences(tables);
