import type { Comparison } from "../client/compare-texts.ts";

/** Longer lines are cut: of a line with a whole script in it nobody reads more. */
const LONGEST_LINE = 500;

interface Line {
  sign: " " | "+" | "-";
  text: string;
  oldNo: number;
  newNo: number;
}

export interface UnifiedDiff {
  text: string;
  added: number;
  removed: number;
}

/** The changes with so many lines of `context` around them, in the unified format; empty when there are none. */
export function unifiedDiff(
  comparison: Comparison,
  labels: { old: string; new: string },
  context: number,
): UnifiedDiff {
  const count = (kind: "added" | "removed") =>
    comparison.stretches.reduce((sum, stretch) => sum + (stretch.kind === kind ? stretch.count : 0), 0);
  const hunks = hunksOf(comparison, context).map(describeHunk);
  const head = [`--- ${labels.old}`, `+++ ${labels.new}`];
  const text = hunks.length === 0 ? "" : `${[...head, ...hunks].join("\n")}\n`;
  return { text, added: count("added"), removed: count("removed") };
}

/** Changes that are near to each other are shown together. */
function hunksOf(comparison: Comparison, context: number): Line[][] {
  const hunks: Line[][] = [];
  let hunk: Line[] = [];
  const add = (kind: "same" | "added" | "removed", oldStart: number, newStart: number, count: number) => {
    for (const line of linesOf(comparison, kind, oldStart, newStart, count)) hunk.push(line);
  };
  const close = () => {
    if (hunk.some(({ sign }) => sign !== " ")) hunks.push(hunk);
    hunk = [];
  };
  const { stretches } = comparison;
  for (const [index, { kind, oldStart, newStart, count }] of stretches.entries()) {
    if (kind !== "same") {
      add(kind, oldStart, newStart, count);
      continue;
    }
    const after = index === 0 ? 0 : Math.min(context, count);
    const before = index === stretches.length - 1 ? 0 : Math.min(context, count);
    if (index > 0 && before > 0 && count <= 2 * context) {
      add(kind, oldStart, newStart, count);
      continue;
    }
    add(kind, oldStart, newStart, after);
    close();
    const skipped = count - before;
    add(kind, oldStart + skipped, newStart + skipped, before);
  }
  close();
  return hunks;
}

function linesOf(
  { oldLines, newLines }: Comparison,
  kind: "same" | "added" | "removed",
  oldStart: number,
  newStart: number,
  count: number,
): Line[] {
  const lines =
    kind === "added" ? newLines.slice(newStart, newStart + count) : oldLines.slice(oldStart, oldStart + count);
  return lines.map((text, index) => ({
    sign: kind === "same" ? " " : kind === "added" ? "+" : "-",
    text,
    oldNo: oldStart + (kind === "added" ? 0 : index),
    newNo: newStart + (kind === "removed" ? 0 : index),
  }));
}

function describeHunk(lines: readonly Line[]): string {
  const [first] = lines;
  const oldCount = lines.filter(({ sign }) => sign !== "+").length;
  const newCount = lines.filter(({ sign }) => sign !== "-").length;
  const head = `@@ -${range(first?.oldNo ?? 0, oldCount)} +${range(first?.newNo ?? 0, newCount)} @@`;
  return [head, ...lines.map(({ sign, text }) => sign + cut(text))].join("\n");
}

/** Lines are counted from 1; a range of none is named by the line before it. */
const range = (start: number, count: number) => `${count === 0 ? start : start + 1},${count}`;

const cut = (line: string) =>
  line.length <= LONGEST_LINE
    ? line
    : `${line.slice(0, LONGEST_LINE)}… (${line.length - LONGEST_LINE} more characters)`;
