import type { BlockOf, Table } from "../blocks/block.ts";
import { align, type Match } from "./align.ts";
import { CELL_SEPARATOR, type Change, createChange } from "./change.ts";
import { compareText } from "./compare-text.ts";
import { countsRows, matchRows, type RowMatches } from "./match-rows.ts";
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
  const { before, after } = pair;
  const columns = matchColumns(before, after);
  const rows = matchRows(before, after, columns);
  const nameOf = (row: readonly string[]) => nameOfRow(row, rows.keys);
  return [
    ...compareColumns(pair, columns),
    ...compareRows(pair, rows.pairs, nameOf),
    ...compareOrder(pair, rows, nameOf),
    ...compareCells(pair, columns, rows.pairs, nameOf),
  ];
}

type NameOf = (row: readonly string[]) => string;

/** Returns what changes in a table have in common. */
const commonOf = ({ after }: Pair<TableBlock>) => ({ block: "table" as const, headings: after.headings });

function compareColumns(pair: Pair<TableBlock>, columns: readonly Match[]): Change[] {
  const { before, after, oldIndex, newIndex } = pair;
  const common = commonOf(pair);
  const removed = without(
    columnNames(before),
    columns.map(([old]) => old),
  );
  const added = without(
    columnNames(after),
    columns.map(([, fresh]) => fresh),
  );
  return [
    ...removed.map(([column, label]) =>
      createChange({ ...common, kind: "column_removed", label, before: label, oldPlace: { block: oldIndex, column } }),
    ),
    ...added.map(([column, label]) =>
      createChange({ ...common, kind: "column_added", label, after: label, newPlace: { block: newIndex, column } }),
    ),
  ];
}

function compareRows(pair: Pair<TableBlock>, rows: readonly Match[], nameOf: NameOf): Change[] {
  const { before, after, oldIndex, newIndex } = pair;
  const common = commonOf(pair);
  const removed = without(
    before.rows,
    rows.map(([old]) => old),
  );
  const added = without(
    after.rows,
    rows.map(([, fresh]) => fresh),
  );
  return [
    ...removed.map(([row, cells]) =>
      createChange({
        ...{ ...common, kind: "row_removed", label: nameOf(cells), before: cells.join(CELL_SEPARATOR) },
        oldPlace: { block: oldIndex, row },
      }),
    ),
    ...added.map(([row, cells]) =>
      createChange({
        ...{ ...common, kind: "row_added", label: nameOf(cells), after: cells.join(CELL_SEPARATOR) },
        newPlace: { block: newIndex, row },
      }),
    ),
  ];
}

/** Returns the elements, with their indexes, that have none of these. */
function without<Element>(elements: readonly Element[], indexes: readonly number[]): [number, Element][] {
  const taken = new Set(indexes);
  return [...elements.entries()].filter(([index]) => !taken.has(index));
}

/** Returns the rows that moved, or one change if the whole table is sorted differently. */
function compareOrder(pair: Pair<TableBlock>, { pairs, moved }: RowMatches, nameOf: NameOf): Change[] {
  const { after, oldIndex, newIndex } = pair;
  const common = commonOf(pair);
  const placesOf = ([row, fresh]: Match) => ({
    oldPlace: { block: oldIndex, row },
    newPlace: { block: newIndex, row: fresh },
  });
  const [first] = pairs;
  if (first !== undefined && moved.size >= SORTED_ROWS && moved.size > pairs.length * SORTED) {
    return [createChange({ ...common, kind: "rows_sorted", label: after.caption, ...placesOf(first) })];
  }
  return pairs
    .filter(([old]) => moved.has(old))
    .map((match) => {
      const cells = after.rows[match[1]] ?? [];
      const text = cells.join(CELL_SEPARATOR);
      return createChange({
        ...{ ...common, kind: "row_moved", label: nameOf(cells), before: text, after: text },
        ...placesOf(match),
      });
    });
}

function compareCells(
  { before, after, oldIndex, newIndex }: Pair<TableBlock>,
  columns: readonly Match[],
  rows: readonly Match[],
  nameOf: NameOf,
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
