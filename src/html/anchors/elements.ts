import type { ElementAnchor, Fingerprint, Place, Resolution, TextAnchor } from "./anchor.ts";
import { placeFigure } from "./figures.ts";
import { type AnchorPage, headingsAt, type PageTable } from "./page.ts";
import { headingSimilarity } from "./similarity.ts";

/** How alike the headers of two versions of a table are at least. */
const SAME_HEADER = 0.5;

/** Returns where an element is; undefined if it isn't on the page or no place is certain. */
export function placeElement(anchor: ElementAnchor, page: AnchorPage): Resolution | undefined {
  const { element } = anchor;
  if (element === "cell" || element === "row") return placeInTable(anchor, page);
  if (element === "image" || element === "chart") return placeFigure(anchor, page);
  return undefined;
}

/** Returns a block's text as an anchor of text, which finds it. */
export function textOfBlock({ path, headings, fingerprint: { text = "" } }: ElementAnchor): TextAnchor {
  return { kind: "text", path, quote: text, prefix: "", suffix: "", start: -1, end: -1, headings };
}

function placeInTable(anchor: ElementAnchor, page: AnchorPage): Resolution | undefined {
  const { table: known, text } = anchor.fingerprint;
  const found = known === undefined ? undefined : tableOf(anchor, page);
  if (known === undefined || found === undefined) return undefined;
  const { table, index } = found;
  const row = onlyIndex(
    table.rows.map(([key]) => key),
    known.row_key,
  );
  const column = anchor.element === "row" ? undefined : onlyIndex(table.header, known.column_key);
  if (row === undefined || (anchor.element === "cell" && column === undefined)) return undefined;
  const cells = table.rows[row] ?? [];
  // A body row may lack the empty corner of its header.
  const now = column === undefined ? cells.join("\t") : cells[column];
  if (now === undefined) return undefined;
  const hasMoved = headingSimilarity(anchor.headings, headingsAt(page, table.start)) < 0.75;
  const place: Place = now !== text ? "changed" : hasMoved ? "moved" : "exact";
  return { place, target: { kind: "cell", table: index, row, column } };
}

/** Returns the table with the most alike header under the most alike headings, if it is the only such one. */
function tableOf(
  { headings, fingerprint }: ElementAnchor,
  page: AnchorPage,
): { table: PageTable; index: number } | undefined {
  const scored = page.tables
    .map((table, index) => ({ table, index, score: tableScore(headings, fingerprint, page, table) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const [best, next] = scored;
  if (best === undefined || (next !== undefined && best.score - next.score < 0.05)) return undefined;
  return best;
}

function tableScore(
  headings: readonly string[],
  { table: known }: Fingerprint,
  page: AnchorPage,
  table: PageTable,
): number {
  const header = known?.header ?? [];
  const shared = header.filter((name) => table.header.includes(name)).length;
  const longer = Math.max(header.length, table.header.length);
  const likeness = longer === 0 ? 0 : shared / longer;
  if (likeness < SAME_HEADER || !table.rows.some(([key]) => key === known?.row_key)) return 0;
  return likeness + headingSimilarity(headings, headingsAt(page, table.start));
}

/** Returns where a list has a value, if it has it once. */
function onlyIndex(list: readonly (string | undefined)[], value: string | undefined): number | undefined {
  const index = value === undefined || value === "" ? -1 : list.indexOf(value);
  return index >= 0 && list.lastIndexOf(value) === index ? index : undefined;
}
