import * as capabilities from "./capabilities.ts";
import { inOrderOfFilling, type MovedTable } from "./engine/moving/tables.ts";

const tables = Object.values(capabilities).flatMap((capability): readonly MovedTable[] =>
  "tables" in capability ? capability.tables : [],
);

/** Every table but those of the search index, which each engine keeps in its own way. */
export const MOVED_TABLES: readonly MovedTable[] = inOrderOfFilling(tables);
