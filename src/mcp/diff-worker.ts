import { compareTexts } from "../client/compare-texts.ts";
import { serveCalls } from "../threads/serve-calls.ts";
import { type UnifiedDiff, unifiedDiff } from "./unified-diff.ts";

export interface DiffRequest {
  before: string;
  after: string;
  labels: { old: string; new: string };
  /** Unchanged lines to show around each change. */
  context: number;
}

export type DiffCalls = { diff(request: DiffRequest): Promise<UnifiedDiff | undefined> };

serveCalls<undefined, DiffCalls>(() => ({ handlers: { diff } }));

/** Returns undefined for texts that are too different to compare in reasonable time. */
async function diff({ before, after, labels, context }: DiffRequest): Promise<UnifiedDiff | undefined> {
  const comparison = await compareTexts(before, after, new AbortController().signal);
  return comparison && unifiedDiff(comparison, labels, context);
}
