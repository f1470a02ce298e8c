/** A table whose rows are copied as they are. */
export interface MovedTable {
  name: string;
  /** Columns of the primary key. */
  key: readonly string[];
  /** Tables that have to be filled first. */
  pointsTo?: readonly string[];
  /** A column that points to rows of the same table, and so is filled in when all of them are there. */
  pointsToItself?: string;
  /** Whether its key counts up by itself and never returns to a number. */
  counts?: boolean;
  /** Whether a server fills it in an empty database at its start. */
  isLeftByStart?: boolean;
}

/** Returns the tables in an order in which each comes after those that it points to. Throws on a circle. */
export function inOrderOfFilling(tables: readonly MovedTable[]): MovedTable[] {
  const ordered: MovedTable[] = [];
  const placed = new Set<string>();
  while (ordered.length < tables.length) {
    const ready = tables.filter(
      ({ name, pointsTo = [] }) => !placed.has(name) && pointsTo.every((other) => placed.has(other)),
    );
    if (ready.length === 0) throw new Error("Tables point to each other in a circle.");
    for (const table of ready) placed.add(table.name);
    ordered.push(...ready);
  }
  return ordered;
}

/** Indexes of pieces of text, rebuilt from the rows. */
export const GRAM_TABLES = ["item_grams", "code_grams"] as const;
export type GramTable = (typeof GRAM_TABLES)[number];
