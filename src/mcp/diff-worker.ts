import { compareTexts } from "../html/changes/compare-lines.ts";
import { serveCalls } from "../threads/serve-calls.ts";
import { type UnifiedDiff, unifiedDiff } from "./unified-diff.ts";

export interface DiffRequest {
  before: string;
  after: string;
  labels: { old: string; new: string };
  /** Unchanged lines to show around each change. */
  context: number;
}

export type DiffCalls = { diff(request: DiffRequest): UnifiedDiff | undefined };

serveCalls<undefined, DiffCalls>(() => ({ handlers: { diff } }));

/** Returns undefined for texts that are too different to compare in reasonable time. */
function diff({ before, after, labels, context }: DiffRequest): UnifiedDiff | undefined {
  const comparison = compareTexts(before, after);
  return comparison && unifiedDiff(comparison, labels, context);
}
