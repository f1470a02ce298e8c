import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk } from "diff";
import type { Comparison, Stretch } from "../html/changes/compare-lines.ts";
import { cut, showPair } from "./line-pairs.ts";

export interface UnifiedDiff {
  text: string;
  added: number;
  removed: number;
}

/** Returns the changes with `context` unchanged lines around each, in the unified format. Without changes, it is empty. */
export function unifiedDiff(
  comparison: Comparison,
  labels: { old: string; new: string },
  context: number,
): UnifiedDiff {
  const count = (kind: "added" | "removed") =>
    comparison.stretches.reduce((sum, stretch) => sum + (stretch.kind === kind ? stretch.count : 0), 0);
  const hunks = groupChanges(comparison.stretches, context).map((group) => createHunk(comparison, group));
  const patch = {
    oldFileName: labels.old,
    newFileName: labels.new,
    oldHeader: undefined,
    newHeader: undefined,
    hunks,
  };
  const text = hunks.length === 0 ? "" : formatPatch(patch, FILE_HEADERS_ONLY);
  return { text, added: count("added"), removed: count("removed") };
}

/** Groups the changes with their context. Changes whose context overlaps share a group. */
function groupChanges(stretches: readonly Stretch[], context: number): Stretch[][] {
  const groups: Stretch[][] = [];
  let group: Stretch[] = [];
  const close = () => {
    if (group.some(({ kind }) => kind !== "same")) groups.push(group);
    group = [];
  };
  for (const [index, stretch] of stretches.entries()) {
    const isInner = index > 0 && index < stretches.length - 1;
    if (stretch.kind !== "same" || (isInner && stretch.count <= 2 * context)) {
      group.push(stretch);
      continue;
    }
    const shown = Math.min(context, stretch.count);
    group.push({ ...stretch, count: shown });
    close();
    group.push(skipLines(stretch, stretch.count - shown));
  }
  close();
  return groups;
}

const skipLines = ({ kind, oldStart, newStart, count }: Stretch, skipped: number): Stretch => ({
  kind,
  oldStart: oldStart + skipped,
  newStart: newStart + skipped,
  count: count - skipped,
});

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

function createHunk({ oldLines, newLines }: Comparison, group: readonly Stretch[]): StructuredPatchHunk {
  const [first] = group;
  const countWithout = (kind: Stretch["kind"]) =>
    group.reduce((sum, stretch) => sum + (stretch.kind === kind ? 0 : stretch.count), 0);
  return {
    oldStart: (first?.oldStart ?? 0) + 1,
    oldLines: countWithout("added"),
    newStart: (first?.newStart ?? 0) + 1,
    newLines: countWithout("removed"),
    lines: showLines({ oldLines, newLines }, group),
  };
}

/** Returns the lines with their signs. Lines that replace others are shown so that they look different. */
function showLines(
  { oldLines, newLines }: Pick<Comparison, "oldLines" | "newLines">,
  group: readonly Stretch[],
): string[] {
  const linesOf = ({ kind, oldStart, newStart, count }: Stretch) =>
    kind === "added" ? newLines.slice(newStart, newStart + count) : oldLines.slice(oldStart, oldStart + count);
  return group.flatMap((stretch, index) => {
    const other = [group[index - 1], group[index + 1]].find(
      (neighbor) => neighbor !== undefined && neighbor.kind !== "same" && neighbor.kind !== stretch.kind,
    );
    const others = stretch.kind === "same" || other === undefined ? [] : linesOf(other);
    return linesOf(stretch).map((line, position) => {
      const counterpart = others[position];
      return SIGNS[stretch.kind] + (counterpart === undefined ? cut(line) : showPair(line, counterpart)[0]);
    });
  });
}
