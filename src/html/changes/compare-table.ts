import type { BlockOf, Table } from "../blocks/block.ts";
import { align, type Match } from "./align.ts";
import { type Change, createChange } from "./change.ts";
import { compareText } from "./compare-text.ts";
import { countsRows, matchRows } from "./match-rows.ts";
import { type DecimalMark, decimalMarkOf, numberChange, readNumber } from "./numbers.ts";
import { withoutVolatile } from "./volatile.ts";

type TableBlock = BlockOf<"table">;

/** The blocks that are compared, with their indexes. */
export interface Pair<Block> {
  readonly before: Block;
  readonly after: Block;
  readonly oldIndex: number;
  readonly newIndex: number;
}

/** The share of rows out of order from which the whole table counts as sorted differently, and the fewest rows for that. */
const SORTED = 0.3;
const SORTED_ROWS = 3;

/** Returns the changes between two versions of a table: columns, rows and cells. */
export function compareTables(pair: Pair<TableBlock>): Change[] {
  const { before, after, oldIndex, newIndex } = pair;
  const common = { block: "table" as const, headings: after.headings };
  const columns = matchColumns(before, after);
  const rows = matchRows(before, after, columns);
  const [oldRows, newRows] = [new Set(rows.pairs.map(([old]) => old)), new Set(rows.pairs.map(([, fresh]) => fresh))];
  const [oldColumns, newColumns] = [new Set(columns.map(([old]) => old)), new Set(columns.map(([, fresh]) => fresh))];
  const nameOf = (row: readonly string[]) => nameOfRow(row, rows.keys);
  const changes: Change[] = [];

  for (const [column, label] of columnNames(before).entries()) {
    if (oldColumns.has(column)) continue;
    changes.push(
      createChange({ ...common, kind: "column_removed", label, before: label, oldPlace: { block: oldIndex, column } }),
    );
  }
  for (const [column, label] of columnNames(after).entries()) {
    if (newColumns.has(column)) continue;
    changes.push(
      createChange({ ...common, kind: "column_added", label, after: label, newPlace: { block: newIndex, column } }),
    );
  }
  for (const [row, cells] of before.rows.entries()) {
    if (oldRows.has(row)) continue;
    const place = { label: nameOf(cells), before: cells.join(" | "), oldPlace: { block: oldIndex, row } };
    changes.push(createChange({ ...common, kind: "row_removed", ...place }));
  }
  for (const [row, cells] of after.rows.entries()) {
    if (newRows.has(row)) continue;
    const place = { label: nameOf(cells), after: cells.join(" | "), newPlace: { block: newIndex, row } };
    changes.push(createChange({ ...common, kind: "row_added", ...place }));
  }
  const places = ([row, fresh]: Match) => ({
    oldPlace: { block: oldIndex, row },
    newPlace: { block: newIndex, row: fresh },
  });
  if (rows.moved.size >= SORTED_ROWS && rows.moved.size > rows.pairs.length * SORTED) {
    const [first] = rows.pairs;
    changes.push(createChange({ ...common, kind: "rows_sorted", label: after.caption, ...(first && places(first)) }));
  } else {
    for (const match of rows.pairs.filter(([old]) => rows.moved.has(old))) {
      const text = (after.rows[match[1]] ?? []).join(" | ");
      const label = nameOf(after.rows[match[1]] ?? []);
      changes.push(createChange({ ...common, kind: "row_moved", label, before: text, after: text, ...places(match) }));
    }
  }
  return [...changes, ...compareCells(pair, columns, rows.pairs, nameOf)];
}

function compareCells(
  { before, after, oldIndex, newIndex }: Pair<TableBlock>,
  columns: readonly Match[],
  rows: readonly Match[],
  nameOf: (row: readonly string[]) => string,
): Change[] {
  const names = columnNames(after);
  const changes: Change[] = [];
  for (const [old, fresh] of columns) {
    if (countsRows(before, old) && countsRows(after, fresh)) continue;
    let mark: DecimalMark | undefined;
    for (const [oldRow, newRow] of rows) {
      const [oldText, newText] = [before.rows[oldRow]?.[old] ?? "", after.rows[newRow]?.[fresh] ?? ""];
      if (oldText === newText || withoutVolatile(oldText) === withoutVolatile(newText)) continue;
      mark ??= decimalMarkOf([...columnOf(before, old), ...columnOf(after, fresh)]);
      const [name, column] = [nameOf(after.rows[newRow] ?? []), names[fresh] ?? ""];
      changes.push(
        createChange({
          kind: "cell",
          block: "table",
          headings: after.headings,
          label: [column, name].filter((part) => part !== "").join(", "),
          before: oldText,
          after: newText,
          ...differenceOf(oldText, newText, mark),
          oldPlace: { block: oldIndex, row: oldRow, column: old },
          newPlace: { block: newIndex, row: newRow, column: fresh },
        }),
      );
    }
  }
  return changes.sort((a, b) => (a.newPlace?.row ?? 0) - (b.newPlace?.row ?? 0));
}

const columnOf = ({ rows }: Table, column: number): string[] => rows.slice(0, 200).map((row) => row[column] ?? "");

/** Returns how the number of a cell changed, or the only number in its text. */
function differenceOf(before: string, after: string, mark: DecimalMark) {
  const [old, fresh] = [readNumber(before, mark), readNumber(after, mark)];
  if (old !== undefined && fresh !== undefined) return numberChange(old, fresh) ?? {};
  const [only, ...others] = compareText(before, after, mark);
  if (only === undefined || others.length > 0 || only.difference === null) return {};
  return { difference: only.difference, percentage: only.percentage };
}

/** Returns the columns that are the same: by their names, whatever their order, or by position without names. */
function matchColumns(before: Table, after: Table): Match[] {
  const [olds, news] = [columnNames(before), columnNames(after)];
  if (before.header.length === 0 || after.header.length === 0) {
    return Array.from({ length: Math.min(olds.length, news.length) }, (_, index): Match => [index, index]);
  }
  const waiting = new Map<string, number[]>();
  for (const [index, name] of olds.entries()) waiting.set(name, [...(waiting.get(name) ?? []), index]);
  const found = news.flatMap((name, fresh): Match[] => {
    const old = waiting.get(name)?.shift();
    return old === undefined ? [] : [[old, fresh]];
  });
  return renamed(found, olds.length, news.length);
}

/** Adds columns whose names changed, if all columns have kept their places. */
function renamed(found: Match[], oldCount: number, newCount: number): Match[] {
  if (oldCount !== newCount || found.some(([old, fresh]) => old !== fresh)) return found;
  if (found.length < oldCount / 2) return found;
  return Array.from({ length: oldCount }, (_, index): Match => [index, index]);
}

/** Returns the names of all columns, without what is volatile. */
function columnNames({ header, rows }: Table): string[] {
  const width = Math.max(header.length, rows[0]?.length ?? 0);
  return Array.from({ length: width }, (_, column) => withoutVolatile(header[column] ?? ""));
}

/** Returns what a person calls a row: its key, or its first words. */
function nameOfRow(row: readonly string[], keys: readonly number[]): string {
  if (keys.length > 0) return keys.map((column) => row[column] ?? "").join(", ");
  return row.find((text) => /\p{L}/u.test(text)) ?? row.find((text) => text !== "") ?? "";
}

/** Returns whether two tables are versions of one: most of the columns of either are in the other. */
export function similarityOfTables(before: Table, after: Table): number {
  const [olds, news] = [columnNames(before), columnNames(after)];
  if (before.header.length === 0 || after.header.length === 0) return olds.length === news.length ? 0.6 : 0;
  const common = align(olds.toSorted(), news.toSorted()).length;
  return (2 * common) / Math.max(1, olds.length + news.length);
}
