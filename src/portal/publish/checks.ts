import { describeBytes, describeCount, describeNumber } from "../shared/amounts.ts";
import type { Account, Workspace } from "../shared/use-account.ts";
import { baseName, type DraftFile, INDEX, isHtml, renamed, totalSize } from "./draft-files.ts";
import { duplicatesProblem, foldersProblem, namesProblem } from "./name-checks.ts";
import type { Offer, Problem } from "./problem.ts";

export interface Rules {
  limits: Account["limits"];
  workspace: Workspace;
  /** Size of the whole request; undefined until every file is read. */
  requestBytes: number | undefined;
}

/** With more HTML files than this, the list is the place to choose the first page. */
export const MAX_CANDIDATES = 4;

/** Returns what prevents publishing; empty when ready. */
export function findProblems(files: readonly DraftFile[], rules: Rules): Problem[] {
  if (files.length === 0) return [{ kind: "empty", message: "Add at least one file." }];
  const { limits, workspace } = rules;
  const found = [
    foldersProblem(files),
    namesProblem(files),
    duplicatesProblem(files),
    indexProblem(files),
    countProblem(files, limits),
    ...fileProblems(files, limits),
    workspace.plan === "free" ? planProblem(files, limits) : undefined,
    requestProblem(files, rules),
    quotaProblem(files, workspace),
  ];
  return found.filter((problem) => problem !== undefined);
}

function indexProblem(files: readonly DraftFile[]): Problem | undefined {
  if (files.some(({ path }) => baseName(path) === INDEX)) return undefined;
  const candidates = files.filter(isHtml);
  const [first] = candidates;
  const message = "A report needs an index.html, the page that opens first.";
  if (first === undefined) return { kind: "index", message: `${message} Add one.` };
  const offers = candidates.length > MAX_CANDIDATES ? [] : candidates.map(offerIndex);
  const choice = candidates.length === 1 ? "" : " Choose the HTML file to use.";
  return { kind: "index", message: `${message}${choice} Links to it in other files aren't changed.`, offers };
}

export const offerIndex = ({ id, path }: DraftFile): Offer => ({
  label: `Use ${baseName(path)} as ${INDEX}`,
  apply: (files) => renamed(files, id, INDEX),
});

function countProblem(files: readonly DraftFile[], limits: Rules["limits"]): Problem | undefined {
  if (files.length <= limits.files_per_upload) return undefined;
  const most = describeNumber(limits.files_per_upload);
  const message = `You added ${describeCount(files.length, "file")}, but a report can have at most ${most}. Remove some.`;
  return { kind: "count", message };
}

function fileProblems(files: readonly DraftFile[], { file_bytes }: Rules["limits"]): Problem[] {
  const large = files.filter(({ source }) => source.size > file_bytes);
  if (large.length === 0) return [];
  return [
    {
      kind: "file",
      message: `Files can be up to ${describeBytes(file_bytes)}. ${describeCount(large.length, "file is", "files are")} larger:`,
      details: large.map(({ path, source }) => `${path} (${describeBytes(source.size)})`),
    },
  ];
}

function requestProblem(files: readonly DraftFile[], { limits, requestBytes }: Rules): Problem | undefined {
  const most = describeBytes(limits.request_bytes);
  const size = totalSize(files);
  if (size > limits.request_bytes) {
    const message = `The files total ${describeBytes(size)}, but an upload can be at most ${most}. Remove some.`;
    return { kind: "request", message };
  }
  if (requestBytes === undefined || requestBytes <= limits.request_bytes) return undefined;
  return {
    kind: "request",
    message:
      `The files total ${describeBytes(size)}, or ${describeBytes(requestBytes)} once encoded, ` +
      `but an upload can be at most ${most}. Remove some.`,
  };
}

function planProblem(files: readonly DraftFile[], { free_plan_file_bytes }: Rules["limits"]): Problem | undefined {
  if (files.length > 1) {
    return {
      kind: "plan",
      message: "On the free plan, a report is a single index.html without other files.",
      offers: files.some(({ path }) => path === INDEX)
        ? [{ label: "Remove the other files", apply: (all) => all.filter(({ path }) => path === INDEX).slice(-1) }]
        : [],
    };
  }
  if (totalSize(files) <= free_plan_file_bytes) return undefined;
  return {
    kind: "plan",
    message: `On the free plan, a report can be up to ${describeBytes(free_plan_file_bytes)}. This one is ${describeBytes(totalSize(files))}.`,
  };
}

function quotaProblem(files: readonly DraftFile[], { stored_bytes, quota_bytes }: Workspace): Problem | undefined {
  const room = Math.max(quota_bytes - stored_bytes, 0);
  const size = totalSize(files);
  if (size <= room) return undefined;
  const left = room === 0 ? "has no room left" : `has room for ${describeBytes(room)} more`;
  const message = `The workspace ${left}, but the files total ${describeBytes(size)}. Delete reports you no longer need.`;
  return { kind: "quota", message };
}
