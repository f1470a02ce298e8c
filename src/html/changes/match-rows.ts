import type { Table } from "../blocks/block.ts";
import { align, longestIncreasing, type Match } from "./align.ts";
import { withoutVolatile } from "./volatile.ts";

export interface RowMatches {
  /** Pairs of rows, in the order of the older table. */
  readonly pairs: readonly Match[];
  /** Those of the pairs that are out of order. */
  readonly moved: ReadonlySet<number>;
  /** The columns of the newer table that name a row. */
  readonly keys: readonly number[];
}

/** Columns that are tried as the key, from the left, and rows below which every pair of rows is compared for similarity. */
const KEY_CANDIDATES = 12;
const MAX_SIMILAR = 60;
/** The share of cells that a row must keep to be the same row without a key. */
const SIMILAR = 0.5;
/** The share of keys that both tables must have in common. */
const COMMON = 0.3;
/** The score from which no other key is tried. */
const CERTAIN = 0.95;

/** Returns which rows of two tables are the same: by a key column, or else by their content. */
export function matchRows(before: Table, after: Table, columns: readonly Match[]): RowMatches {
  const key = findKey(before, after, columns);
  const pairs = key === undefined ? matchByContent(before, after, columns) : matchByKey(key);
  const ordered = new Set(longestIncreasing(pairs).map(([old]) => old));
  const moved = new Set(pairs.filter(([old]) => !ordered.has(old)).map(([old]) => old));
  return { pairs, moved, keys: key?.columns ?? [] };
}

const textAt = (row: readonly string[], column: number): string => row[column] ?? "";

/** Returns whether a column counts rows from a start, as a frame's default index does: it says nothing about a row. */
export function countsRows(table: Table, column: number): boolean {
  const first = Number(textAt(table.rows[0] ?? [], column) || "x");
  if (!Number.isInteger(first) || first < 0 || first > 1) return false;
  return table.rows.every((row, index) => textAt(row, column) === String(first + index));
}

/** Columns whose cells name each row. */
interface Key {
  /** The columns of the newer table. */
  readonly columns: readonly number[];
  /** Where the rows are, by the texts of these columns. */
  readonly olds: ReadonlyMap<string, number>;
  readonly news: ReadonlyMap<string, number>;
  /** How well they name rows, up to 1. */
  readonly score: number;
}

function findKey(before: Table, after: Table, columns: readonly Match[]): Key | undefined {
  const candidates = columns
    .filter(([old, fresh]) => !(countsRows(before, old) && countsRows(after, fresh)))
    .slice(0, KEY_CANDIDATES);
  let best: Key | undefined;
  for (const candidate of [...candidates.map((one) => [one]), ...prefixesOf(candidates)]) {
    const key = readKey(before, after, candidate);
    if (key !== undefined && key.score > (best?.score ?? COMMON)) best = key;
    if (best !== undefined && best.score > CERTAIN) break;
  }
  return best;
}

/** Returns the first two, three and four columns, for tables with several header columns. */
const prefixesOf = (columns: readonly Match[]): Match[][] =>
  [2, 3, 4].filter((count) => count <= columns.length).map((count) => columns.slice(0, count));

/** Returns how columns name rows; undefined if they name two alike. */
function readKey(before: Table, after: Table, columns: readonly Match[]): Key | undefined {
  const fresh = columns.map(([, column]) => column);
  const olds = rowsByKey(
    before,
    columns.map(([column]) => column),
  );
  const news = olds && rowsByKey(after, fresh);
  // One column makes a better key than several.
  return news && { columns: fresh, olds, news, score: scoreOf(olds, news) - fresh.length * 0.001 };
}

/** Returns the share of keys that both tables have. Names make better keys than measures that happen to differ. */
function scoreOf(olds: Key["olds"], news: Key["news"]): number {
  let common = 0;
  let words = 0;
  for (const value of olds.keys()) if (news.has(value)) common++;
  for (const value of news.keys()) if (/\p{L}/u.test(value)) words++;
  const share = common / Math.max(1, Math.min(olds.size, news.size));
  return share * (words > news.size / 2 ? 1 : 0.7);
}

function rowsByKey({ rows }: Table, columns: readonly number[]): Map<string, number> | undefined {
  const keys = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const texts = columns.map((column) => textAt(row, column));
    const key = texts.join("\u0001");
    if (keys.has(key) || texts.every((text) => text === "")) return undefined;
    keys.set(key, index);
  }
  return keys;
}

function matchByKey({ olds, news }: Key): Match[] {
  const pairs: Match[] = [];
  for (const [key, old] of olds) {
    const fresh = news.get(key);
    if (fresh !== undefined) pairs.push([old, fresh]);
  }
  return pairs;
}

/** Matches equal rows first, and then similar ones between them. */
function matchByContent(before: Table, after: Table, columns: readonly Match[]): Match[] {
  const compared = columns.filter(([old, fresh]) => !(countsRows(before, old) && countsRows(after, fresh)));
  const olds = before.rows.map((row) => compared.map(([old]) => withoutVolatile(textAt(row, old))));
  const news = after.rows.map((row) => compared.map(([, fresh]) => withoutVolatile(textAt(row, fresh))));
  const joined = (rows: readonly string[][]) => rows.map((row) => row.join("\u0001"));
  const pairs: Match[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [old, fresh] of [...align(joined(olds), joined(news)), [olds.length, news.length] as const]) {
    pairs.push(...matchSimilar(olds, news, [oldAt, old], [newAt, fresh]));
    if (old < olds.length) pairs.push([old, fresh]);
    [oldAt, newAt] = [old + 1, fresh + 1];
  }
  return pairs;
}

type Span = readonly [start: number, end: number];

function matchSimilar(olds: readonly string[][], news: readonly string[][], old: Span, fresh: Span): Match[] {
  const [oldCount, newCount] = [old[1] - old[0], fresh[1] - fresh[0]];
  if (oldCount === 0 || newCount === 0) return [];
  if (oldCount === newCount || oldCount > MAX_SIMILAR || newCount > MAX_SIMILAR) {
    const count = Math.min(oldCount, newCount);
    return Array.from({ length: count }, (_, index): Match => [old[0] + index, fresh[0] + index]);
  }
  const pairs: Match[] = [];
  let next = fresh[0];
  for (let index = old[0]; index < old[1]; index++) {
    const found = mostSimilar(olds[index] ?? [], news, [next, fresh[1]]);
    if (found === undefined) continue;
    pairs.push([index, found]);
    next = found + 1;
  }
  return pairs;
}

function mostSimilar(row: readonly string[], rows: readonly string[][], [start, end]: Span): number | undefined {
  let best: { index: number; share: number } | undefined;
  for (let index = start; index < end; index++) {
    const same = row.filter((text, column) => text === rows[index]?.[column]).length;
    const share = same / Math.max(1, row.length);
    if (share >= SIMILAR && share > (best?.share ?? 0)) best = { index, share };
  }
  return best?.index;
}
