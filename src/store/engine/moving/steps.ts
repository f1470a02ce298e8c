import { sql } from "kysely";
import { gramList } from "../grams.ts";
import { indexItems } from "../postings/merge.ts";
import type { Database } from "../schema.ts";
import type { Differences } from "./differences.ts";
import { insertRows, type Keyed, type Row } from "./rows.ts";
import type { MovedTable } from "./tables.ts";

/** A part of a copy that can be resumed. */
export interface Step {
  name: string;
  /** Whether it inserts the rows of a table, instead of updating or indexing them. */
  copiesRows?: boolean;
  read: Keyed;
  write(target: Database, rows: readonly Row[]): Promise<void>;
}

/** A table with its columns, sorted so that both engines list them in the same order. */
export type KnownTable = MovedTable & { columns: readonly string[] };

export async function describeTables(
  database: Database,
  differences: Differences,
  tables: readonly MovedTable[],
): Promise<KnownTable[]> {
  const described: KnownTable[] = [];
  for (const table of tables) {
    described.push({ ...table, columns: (await differences.listColumns(database, table.name)).toSorted() });
  }
  return described;
}

export const rowsOf = ({ name, columns, key }: KnownTable): Keyed => ({ from: sql.table(name), columns, key });

/** Returns all steps of a copy. Tables come after those they reference, and indexes last. */
export const stepsFor = (tables: readonly KnownTable[]): Step[] => [...tables.flatMap(stepsOfTable), ...INDEX_STEPS];

function stepsOfTable(table: KnownTable): Step[] {
  const { name, columns, pointsToItself: later } = table;
  const write = (target: Database, rows: readonly Row[]) =>
    insertRows(target, name, columns, later === undefined ? rows : rows.map((row) => ({ ...row, [later]: null })));
  const copying = { name, copiesRows: true, read: rowsOf(table), write };
  return later === undefined ? [copying] : [copying, linkingStep(table, later)];
}

/** Returns the step that fills a column that references rows of the same table. */
function linkingStep({ name, key }: KnownTable, column: string): Step {
  const [id = ""] = key;
  return {
    name: `${name}.${column}`,
    read: { from: sql.table(name), columns: [id, column], key: [id] },
    async write(target, rows) {
      for (const row of rows.filter((one) => one[column] !== null)) {
        await sql`update ${sql.table(name)} set ${sql.ref(column)} = ${row[column]}
          where ${sql.ref(id)} = ${row[id]}`.execute(target);
      }
    },
  };
}

/** The codes of versions that search finds. */
export const CODE_TEXTS: Keyed = {
  from: sql`search_codes join items on items.id = search_codes.item_id`,
  columns: ["search_codes.id", "items.workspace_id", "search_codes.folded"],
  key: ["search_codes.id"],
};

/** Returns the pieces of a code in the form in which the index stores them. */
export const gramsOfRow = ({ workspace_id, folded }: Row): string => gramList(String(workspace_id), String(folded));

const CODES_STEP: Step = {
  name: "code_grams",
  read: CODE_TEXTS,
  write: (target, rows) =>
    insertRows(
      target,
      "code_grams",
      ["rowid", "grams"],
      rows.map((row) => ({ rowid: row.id ?? null, grams: gramsOfRow(row) })),
    ),
};

/** The step that indexes the items, whose tags are there already. */
const POSTINGS_STEP: Step = {
  name: "search_postings",
  read: { from: sql.table("items"), columns: ["id"], key: ["id"] },
  write: (target, rows) =>
    indexItems(
      target,
      rows.map(({ id }) => Number(id)),
    ),
};

const INDEX_STEPS = [POSTINGS_STEP, CODES_STEP];
