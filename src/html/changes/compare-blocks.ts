import type { Block, BlockOf } from "../blocks/block.ts";
import { align, type Match } from "./align.ts";
import { CELL_SEPARATOR, CHANGE_LIMITS, type Change, createChange } from "./change.ts";
import { compareCharts } from "./compare-chart.ts";
import { compareTables, type Pair, similarityOfTables } from "./compare-table.ts";
import { compareText } from "./compare-text.ts";
import { type DecimalMark, decimalMarkOf } from "./numbers.ts";
import { type Summary, summarize } from "./summary.ts";
import { withoutVolatile } from "./volatile.ts";

export interface Comparison {
  readonly changes: readonly Change[];
  readonly summary: Summary;
  /** Whether there are more changes than are listed. */
  readonly isCut: boolean;
}

interface BlockComparison extends Comparison {
  /** The blocks that both pages have, or versions of them, in the order of both pages. */
  readonly pairs: readonly Match[];
}

/** Pairs of unmatched blocks between two matched ones that are compared for similarity. */
const MAX_PAIRS = 40_000;
/** How similar two texts must be to be versions of one. */
const SIMILAR = 0.45;

/** Returns what a reader would see as changed between two versions of a page. */
export function compareBlocks(before: readonly Block[], after: readonly Block[]): BlockComparison {
  const matches = matchBlocks(before, after);
  const mark = decimalMarkOf([...textsOf(before), ...textsOf(after)]);
  const changes: Change[] = matches.pairs.flatMap(([old, fresh]) => comparePair(before, after, old, fresh, mark));
  for (const [old, fresh] of matches.moved) {
    const block = after[fresh];
    if (block === undefined) continue;
    const text = textOf(block);
    changes.push(
      createChange({
        ...commonOf(block),
        kind: "block_moved",
        before: text,
        after: text,
        oldPlace: { block: old },
        newPlace: { block: fresh },
      }),
    );
  }
  const [olds, news] = [new Set<number>(), new Set<number>()];
  for (const [old, fresh] of [...matches.pairs, ...matches.moved]) {
    olds.add(old);
    news.add(fresh);
  }
  for (const [index, block] of before.entries()) {
    if (olds.has(index)) continue;
    changes.push(
      createChange({ ...commonOf(block), kind: "block_removed", before: textOf(block), oldPlace: { block: index } }),
    );
  }
  for (const [index, block] of after.entries()) {
    if (news.has(index)) continue;
    changes.push(
      createChange({ ...commonOf(block), kind: "block_added", after: textOf(block), newPlace: { block: index } }),
    );
  }
  const next = createOrder(matches.pairs);
  const sorted = changes.toSorted((a, b) => next(a) - next(b));
  return {
    changes: sorted.slice(0, CHANGE_LIMITS.changes),
    summary: summarize(sorted, after),
    isCut: sorted.length > CHANGE_LIMITS.changes,
    pairs: matches.pairs,
  };
}

/** Returns the function that puts changes into the order of the newer page; what was removed stands where it was. */
function createOrder(pairs: readonly Match[]): (change: Change) => number {
  const positions = new Map(pairs);
  return ({ oldPlace, newPlace }) => {
    if (newPlace !== null) return newPlace.block;
    const removed = oldPlace?.block ?? 0;
    for (let old = removed; old >= 0; old--) {
      const fresh = positions.get(old);
      if (fresh !== undefined) return old === removed ? fresh : fresh + 0.5;
    }
    return -1;
  };
}

const commonOf = (block: Block) => ({ block: block.kind, headings: block.headings, label: labelOf(block) });

function labelOf(block: Block): string {
  if (block.kind === "table") return block.caption;
  if (block.kind === "chart") return block.title;
  return block.kind === "image" ? block.alt : "";
}

/** Returns the content of a block as one text. */
function textOf(block: Block): string {
  if (block.kind === "table")
    return [block.header, ...block.rows]
      .slice(0, 20)
      .map((row) => row.join(CELL_SEPARATOR))
      .join("\n");
  if (block.kind === "image") return block.alt;
  return block.kind === "chart" ? block.title : block.text;
}

const textsOf = (blocks: readonly Block[]): string[] =>
  blocks.slice(0, 2_000).flatMap((block) => ("text" in block ? [block.text] : []));

/** Returns what makes two blocks the same, without what is volatile. */
function identityOf(block: Block): string {
  if (block.kind === "table") return JSON.stringify(["table", block.header, block.rows]);
  if (block.kind === "image") return `image ${block.source}`;
  if (block.kind === "chart") return JSON.stringify(["chart", block.library, block.title, block.labels, block.series]);
  return `${block.kind} ${withoutVolatile(block.text)}`;
}

interface BlockMatches {
  /** The same blocks or versions of them, in the order of both pages. */
  readonly pairs: readonly Match[];
  readonly moved: readonly Match[];
}

/** Matches equal blocks, then those between them that are versions of one, then equal ones that have moved. */
function matchBlocks(before: readonly Block[], after: readonly Block[]): BlockMatches {
  const [olds, news] = [before.map(identityOf), after.map(identityOf)];
  const pairs: Match[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [old, fresh] of [...align(olds, news), [olds.length, news.length] as const]) {
    for (const match of matchSimilar(before, after, [oldAt, old], [newAt, fresh])) pairs.push(match);
    if (old < olds.length) pairs.push([old, fresh]);
    [oldAt, newAt] = [old + 1, fresh + 1];
  }
  return { pairs, moved: matchMoved(olds, news, pairs) };
}

type Span = readonly [start: number, end: number];

function matchSimilar(before: readonly Block[], after: readonly Block[], old: Span, fresh: Span): Match[] {
  const [olds, news] = [range(old), range(fresh)];
  if (olds.length === 0 || news.length === 0) return [];
  if (olds.length * news.length > MAX_PAIRS) return matchByKind(before, after, olds, news);
  const scored = olds.flatMap((index) =>
    news.map((other) => ({ pair: [index, other] as const, score: similarity(before[index], after[other]) })),
  );
  const taken: Match[] = [];
  // The best pairs first, and of those the ones that keep their order.
  for (const { pair } of scored
    .filter(({ score }) => score >= SIMILAR)
    .sort((a, b) => b.score - a.score || near(a.pair) - near(b.pair))) {
    if (taken.every(([index, other]) => (index < pair[0] && other < pair[1]) || (index > pair[0] && other > pair[1]))) {
      taken.push(pair);
    }
  }
  return taken.sort(([a], [b]) => a - b);
}

const near = ([old, fresh]: Match): number => Math.abs(old - fresh);
const range = ([start, end]: Span): number[] => Array.from({ length: end - start }, (_, index) => start + index);

/** Matches blocks whose texts differ in numbers alone. */
function matchByKind(before: readonly Block[], after: readonly Block[], olds: number[], news: number[]): Match[] {
  const skeleton = (block: Block | undefined) =>
    block === undefined
      ? ""
      : `${block.kind} ${block.kind === "table" ? block.header.join("|") : textOf(block).replace(/\d+/g, "#")}`;
  return align(
    olds.map((index) => skeleton(before[index])),
    news.map((index) => skeleton(after[index])),
  ).flatMap(([old, fresh]): Match[] => [[olds[old] ?? 0, news[fresh] ?? 0]]);
}

/** Returns from 0 to 1 how likely two blocks are versions of one. */
function similarity(before: Block | undefined, after: Block | undefined): number {
  if (before === undefined || after === undefined || before.kind !== after.kind) return 0;
  const place = before.headings.join("\n") === after.headings.join("\n") ? 0.1 : 0;
  if (before.kind === "table" && after.kind === "table") return similarityOfTables(before, after) + place;
  if (before.kind === "image" && after.kind === "image") return (before.alt === after.alt ? 0.6 : 0.4) + place;
  if (before.kind === "chart" && after.kind === "chart") {
    if (before.library !== after.library) return 0;
    return (before.title === after.title ? 0.7 : 0.4) + place;
  }
  return similarityOfTexts(textOf(before), textOf(after)) + place;
}

/** Returns the share of words that both texts have, with all numbers taken as the same. */
function similarityOfTexts(before: string, after: string): number {
  const wordsOf = (text: string) =>
    withoutVolatile(text)
      .slice(0, 4_000)
      .replace(/[\d.,]*\d/g, "#")
      .match(/[\p{L}\p{M}]+|[^\s\p{L}\p{M}]/gu) ?? [];
  const [olds, news] = [wordsOf(before), wordsOf(after)];
  const counts = new Map<string, number>();
  for (const word of olds) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of news) {
    const left = counts.get(word) ?? 0;
    if (left > 0) common++;
    counts.set(word, left - 1);
  }
  return (2 * common) / Math.max(1, olds.length + news.length);
}

function matchMoved(olds: readonly string[], news: readonly string[], pairs: readonly Match[]): Match[] {
  const [oldTaken, newTaken] = [new Set(pairs.map(([old]) => old)), new Set(pairs.map(([, fresh]) => fresh))];
  const waiting = new Map<string, number[]>();
  for (const [index, identity] of olds.entries()) {
    if (!oldTaken.has(index)) waiting.set(identity, [...(waiting.get(identity) ?? []), index]);
  }
  return news.flatMap((identity, fresh): Match[] => {
    const old = newTaken.has(fresh) ? undefined : waiting.get(identity)?.shift();
    return old === undefined ? [] : [[old, fresh]];
  });
}

function comparePair(
  before: readonly Block[],
  after: readonly Block[],
  oldIndex: number,
  newIndex: number,
  mark: DecimalMark,
): Change[] {
  const [old, fresh] = [before[oldIndex], after[newIndex]];
  if (old === undefined || fresh === undefined) return [];
  const places = { oldIndex, newIndex };
  if (old.kind === "table" && fresh.kind === "table") return compareTables({ before: old, after: fresh, ...places });
  if (old.kind === "chart" && fresh.kind === "chart") return compareCharts({ before: old, after: fresh, ...places });
  if (old.kind === "image" && fresh.kind === "image") return compareImages({ before: old, after: fresh, ...places });
  return "text" in old && "text" in fresh ? compareTexts({ before: old, after: fresh, ...places }, mark) : [];
}

function compareImages({ before, after, oldIndex, newIndex }: Pair<BlockOf<"image">>): Change[] {
  const common = { ...commonOf(after), oldPlace: { block: oldIndex }, newPlace: { block: newIndex } };
  if (before.source !== after.source) {
    return [createChange({ ...common, kind: "image", before: before.alt || null, after: after.alt || null })];
  }
  if (before.alt === after.alt) return [];
  return [createChange({ ...common, kind: "text", before: before.alt, after: after.alt })];
}

type TextBlock = Extract<Block, { text: string }>;

function compareTexts({ before, after, oldIndex, newIndex }: Pair<TextBlock>, mark: DecimalMark): Change[] {
  return compareText(before.text, after.text, mark).map((change) =>
    createChange({
      kind: change.isNumber ? "number" : "text",
      block: after.kind,
      headings: after.headings,
      label: contextOf(after.text, change.after),
      before: change.before.text || null,
      after: change.after.text || null,
      difference: change.difference,
      percentage: change.percentage,
      oldPlace: { block: oldIndex, start: change.before.start, end: change.before.end },
      newPlace: { block: newIndex, start: change.after.start, end: change.after.end },
    }),
  );
}

/** Returns the words around a change. */
function contextOf(text: string, { start, end }: { start: number; end: number }): string {
  const [from, to] = [Math.max(0, start - 40), Math.min(text.length, end + 40)];
  return `${from > 0 ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
}
