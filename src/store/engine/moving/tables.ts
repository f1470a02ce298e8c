/** A table whose rows are copied as they are. */
export interface MovedTable {
  name: string;
  /** The columns of the primary key. */
  key: readonly string[];
  /** Tables that it references, which are filled first. */
  pointsTo?: readonly string[];
  /** A column that references rows of the same table. It is filled after all rows are copied. */
  pointsToItself?: string;
  /** Whether the database generates the key from a counter that never repeats a number. */
  counts?: boolean;
  /** The table with the time before which a trigger lets rows be deleted. */
  horizon?: string;
  /** Whether a server that starts on an empty database writes to the table. */
  isLeftByStart?: boolean;
}

/** Returns the tables sorted so that each follows the tables it references. Throws if they reference each other. */
export function sortByReferences(tables: readonly MovedTable[]): MovedTable[] {
  const ordered: MovedTable[] = [];
  const placed = new Set<string>();
  while (ordered.length < tables.length) {
    const ready = tables.filter(
      ({ name, pointsTo = [] }) => !placed.has(name) && pointsTo.every((other) => placed.has(other)),
    );
    if (ready.length === 0) throw new Error("Tables reference each other in a cycle.");
    for (const table of ready) placed.add(table.name);
    ordered.push(...ready);
  }
  return ordered;
}

/** The tables of the search indexes, which are rebuilt from the rows. */
export const INDEX_TABLES = ["item_grams", "code_grams", "search_postings", "search_changes"] as const;
/** The search indexes that can be compared with their rows. */
export type SearchIndex = "code_grams" | "search_postings";
