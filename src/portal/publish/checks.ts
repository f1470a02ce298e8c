import { describeBytes, describeCount, describeNumber } from "../shared/amounts.ts";
import type { Account, Workspace } from "../shared/use-account.ts";
import { type DraftFile, isHtml, isSourceMap, totalSize } from "./draft-files.ts";
import { duplicatesProblem, structureProblem } from "./name-checks.ts";
import type { Offer, Problem } from "./problem.ts";
import type { Arrangement } from "./start-page.ts";

export interface Rules {
  limits: Account["limits"];
  workspace: Workspace;
  arrangement: Arrangement;
  /** Size of the whole request; undefined until every file is read. */
  requestBytes: number | undefined;
}

/** Returns what prevents publishing; empty when ready. */
export function findProblems(files: readonly DraftFile[], rules: Rules): Problem[] {
  const { limits, workspace, arrangement } = rules;
  const found = [
    duplicatesProblem(files),
    indexProblem(files),
    structureProblem(files, arrangement.names),
    countProblem(files, limits),
    fileProblem(files, limits),
    workspace.plan === "free" ? planProblem(files, rules) : undefined,
    requestProblem(files, rules),
    quotaProblem(files, workspace),
  ];
  return found.filter((problem) => problem !== undefined);
}

function indexProblem(files: readonly DraftFile[]): Problem | undefined {
  if (files.some(isHtml)) return undefined;
  return { kind: "index", message: "A report needs an HTML page that opens first. Add an HTML file." };
}

function countProblem(files: readonly DraftFile[], limits: Rules["limits"]): Problem | undefined {
  const most = limits.files_per_upload;
  if (files.length <= most) return undefined;
  return {
    kind: "count",
    message: `You added ${describeCount(files.length, "file")}, but a report can have at most ${describeNumber(most)}. Remove at least ${describeNumber(files.length - most)}.`,
    offers: offersToDrop(files),
  };
}

function fileProblem(files: readonly DraftFile[], { file_bytes }: Rules["limits"]): Problem | undefined {
  const large = files.filter(({ source }) => source.size > file_bytes);
  if (large.length === 0) return undefined;
  return {
    kind: "file",
    message: `${describeCount(large.length, "file is", "files are")} over the limit of ${describeBytes(file_bytes)} per file. Remove or shrink:`,
    details: largestOf(large),
    offers: [removal(large, `Remove ${describeCount(large.length, "file")}`)],
  };
}

function requestProblem(files: readonly DraftFile[], { limits, requestBytes }: Rules): Problem | undefined {
  const most = limits.request_bytes;
  const size = totalSize(files);
  const isOver = size > most;
  if (!isOver && (requestBytes === undefined || requestBytes <= most)) return undefined;
  const encoded = isOver || requestBytes === undefined ? "" : `, or ${describeBytes(requestBytes)} once encoded`;
  return {
    kind: "request",
    message: `The ${describeCount(files.length, "file")} total ${describeBytes(size)}${encoded}, but an upload can be at most ${describeBytes(most)}. Remove some. The largest:`,
    details: largestOf(files),
    offers: offersToDrop(files),
  };
}

const LARGEST = 3;

/** Returns the largest files with their sizes. */
const largestOf = (files: readonly DraftFile[]): string[] =>
  [...files]
    .sort((one, other) => other.source.size - one.source.size)
    .slice(0, LARGEST)
    .map(({ path, source }) => `${path} (${describeBytes(source.size)})`);

/** Returns offers to remove files that readers don't need. */
function offersToDrop(files: readonly DraftFile[]): Offer[] {
  const maps = files.filter(isSourceMap);
  return maps.length === 0 ? [] : [removal(maps, `Remove ${describeCount(maps.length, "source map")}`)];
}

const removal = (removed: readonly DraftFile[], label: string): Offer => ({
  label,
  apply: (draft) => draft.change((all) => all.filter((file) => !removed.includes(file))),
});

function planProblem(files: readonly DraftFile[], { limits, arrangement: { start } }: Rules): Problem | undefined {
  const most = limits.free_plan_file_bytes;
  if (files.length > 1) {
    const others = files.filter((file) => file !== start);
    return {
      kind: "plan",
      message: "On the free plan, a report is a single HTML file without other files.",
      offers: start === undefined ? [] : [removal(others, "Remove the other files")],
    };
  }
  if (totalSize(files) <= most) return undefined;
  return {
    kind: "plan",
    message: `On the free plan, a report can be up to ${describeBytes(most)}. This one is ${describeBytes(totalSize(files))}.`,
  };
}

function quotaProblem(files: readonly DraftFile[], { stored_bytes, quota_bytes }: Workspace): Problem | undefined {
  const room = Math.max(quota_bytes - stored_bytes, 0);
  const size = totalSize(files);
  if (size <= room) return undefined;
  const left = room === 0 ? "has no room left" : `has room for ${describeBytes(room)} more`;
  const message = `The workspace ${left}, but the files total ${describeBytes(size)}.`;
  return { kind: "quota", message };
}
