import { describeCount } from "../shared/amounts.ts";
import { availableName, baseName, correctedName, type DraftFile, isInFolder, isUsableName } from "./draft-files.ts";
import type { Problem } from "./problem.ts";

/** Reports files in folders, which a report can't have, and offers to flatten them. */
export function foldersProblem(files: readonly DraftFile[]): Problem | undefined {
  const inner = files.filter(isInFolder);
  const [example] = inner;
  if (example === undefined) return undefined;
  const message = `Reports can't contain folders, but ${describeCount(inner.length, "file is", "files are")} in one.`;
  const clashing = clashes(files);
  const [clash] = clashing;
  if (clash !== undefined) {
    const both = `${baseName(clash)} exists more than once, so these files can't all be moved next to index.html. Remove or rename them first:`;
    const details = files.filter(({ path }) => clashing.has(baseName(path))).map(({ path }) => path);
    return { kind: "folders", message: `${message} ${both}`, details };
  }
  const name = baseName(example.path);
  return {
    kind: "folders",
    message: `${message} After that, the HTML must refer to "${name}" instead of "${example.path}".`,
    details: inner.map(({ path }) => path),
    offers: [{ label: "Move the files out of their folders", apply: flattened }],
  };
}

const flattened = (files: readonly DraftFile[]): DraftFile[] =>
  files.map((file) => ({ ...file, path: baseName(file.path) }));

/** Returns names that several files would share after that. */
function clashes(files: readonly DraftFile[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { path } of files) {
    const name = baseName(path);
    if (seen.has(name)) twice.add(name);
    seen.add(name);
  }
  return twice;
}

/** Reports invalid names and offers the closest valid ones. */
export function namesProblem(files: readonly DraftFile[]): Problem | undefined {
  const wrong = files.filter(({ path }) => !isUsableName(baseName(path)));
  if (wrong.length === 0) return undefined;
  const corrected = new Map(corrections(files).map(({ id, path }) => [id, path]));
  const count = describeCount(wrong.length, "file has", "files have");
  return {
    kind: "names",
    message:
      `File names can contain unaccented letters, digits, dots, hyphens and underscores. ${count} other characters. ` +
      "References to them in other files aren't changed.",
    details: wrong.map(({ id, path }) => `${path} → ${corrected.get(id) ?? ""}`),
    offers: [{ label: `Rename ${describeCount(wrong.length, "file")}`, apply: corrections }],
  };
}

function corrections(files: readonly DraftFile[]): DraftFile[] {
  const taken = new Set(files.map(({ path }) => path));
  return files.map((file) => {
    const name = baseName(file.path);
    if (isUsableName(name)) return file;
    const folder = file.path.slice(0, file.path.length - name.length);
    const path = availableName(folder + correctedName(name), taken);
    taken.add(path);
    return { ...file, path };
  });
}

/** Reports duplicate names outside folders. */
export function duplicatesProblem(files: readonly DraftFile[]): Problem | undefined {
  const last = new Map(files.map(({ id, path }) => [path, id]));
  const earlier = files.filter(({ id, path }) => last.get(path) !== id);
  if (earlier.length === 0) return undefined;
  return {
    kind: "duplicates",
    message: "Duplicate file names:",
    details: [...new Set(earlier.map(({ path }) => path))],
    offers: [{ label: "Keep the newest", apply: keepLast }],
  };
}

function keepLast(files: readonly DraftFile[]): DraftFile[] {
  const last = new Map(files.map(({ id, path }) => [path, id]));
  return files.filter(({ id, path }) => last.get(path) === id);
}
