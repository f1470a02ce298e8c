import { sql } from "kysely";
import { selectMiscounted } from "../../../src/store/cabinet/recount.ts";
import type { Database } from "../../../src/store/engine/schema.ts";

/** Returns what is wrong with the kept counts: workspaces that a recount contradicts, and rows that count nothing. */
export async function findWrongCounts(rows: Database): Promise<string[]> {
  const { rows: miscounted } = await selectMiscounted.execute(rows);
  const { rows: empty } = await sql<{ place: string }>`
    select place from current_item_counts where count = 0`.execute(rows);
  return [...miscounted.map(({ subject }) => `miscounted: ${subject}`), ...empty.map(({ place }) => `empty: ${place}`)];
}
