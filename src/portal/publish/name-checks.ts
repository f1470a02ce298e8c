import { describeCount } from "../shared/amounts.ts";
import { type DraftFile, isInFolder, isUsableName } from "./draft-files.ts";
import type { Offer, Problem } from "./problem.ts";

const UPDATED = "References in HTML and CSS are updated.";

/** Reports files in folders and names that a report can't have, and offers other names. */
export function structureProblem(
  files: readonly DraftFile[],
  names: ReadonlyMap<string, string>,
): Problem | undefined {
  const wrong = files.filter(({ path }) => !isUsableName(names.get(path) ?? path));
  const [example] = wrong;
  if (example === undefined) return undefined;
  const inner = wrong.filter(isInFolder);
  if (inner.length > 0) {
    return {
      kind: "structure",
      message: `Reports can't contain folders, and ${describeCount(inner.length, "file is", "files are")} in one. ${UPDATED}`,
      details: inner.map(({ path }) => path),
      offers: [flatten("Move files out of folders")],
    };
  }
  return {
    kind: "structure",
    message: `File names can contain unaccented letters, digits, dots, hyphens and underscores. ${describeCount(wrong.length, "file has", "files have")} other characters. ${UPDATED}`,
    details: wrong.map(({ path }) => path),
    offers: [flatten(`Rename ${describeCount(wrong.length, "file")}`)],
  };
}

const flatten = (label: string): Offer => ({ label, apply: (draft) => draft.flatten() });

/** Reports duplicate names. */
export function duplicatesProblem(files: readonly DraftFile[]): Problem | undefined {
  const last = new Map(files.map(({ id, path }) => [path, id]));
  const earlier = files.filter(({ id, path }) => last.get(path) !== id);
  if (earlier.length === 0) return undefined;
  return {
    kind: "duplicates",
    message: "Duplicate file names:",
    details: [...new Set(earlier.map(({ path }) => path))],
    offers: [
      { label: "Keep the newest", apply: (draft) => draft.change((all) => all.filter((file) => !earlier.includes(file))) },
    ],
  };
}
