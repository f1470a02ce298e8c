import { chooseNames } from "../../html/flat-names.ts";
import { baseName, type DraftFile, INDEX, isHtml, isInFolder } from "./draft-files.ts";

const depthOf = ({ path }: DraftFile): number => path.split("/").length;
const isNamedIndex = ({ path }: DraftFile): boolean => /^index\.html?$/i.test(baseName(path));

/** Returns the HTML files that can open first, the likeliest before the others. */
export function startPages(files: readonly DraftFile[]): DraftFile[] {
  const root = files.find(({ path }) => path === INDEX);
  if (root !== undefined) return [root];
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const rank = (file: DraftFile) => 2 * depthOf(file) - Number(isNamedIndex(file));
  return files.filter(isHtml).sort((one, other) => rank(one) - rank(other) || compare(one.path, other.path));
}

/** Returns the page that opens first: the chosen one, or the likeliest; undefined without HTML files. */
function startPageOf(files: readonly DraftFile[], chosen: string | undefined): DraftFile | undefined {
  const pages = startPages(files);
  return pages.find(({ id }) => id === chosen) ?? pages[0];
}

export interface Arrangement {
  start: DraftFile | undefined;
  /** What each file is called in the report, by its path. */
  names: ReadonlyMap<string, string>;
}

/** Names the files: the start page becomes index.html and, if flat, files leave their folders. */
export function arrange(files: readonly DraftFile[], chosen: string | undefined, isFlat: boolean): Arrangement {
  const start = startPageOf(files, chosen);
  const paths = files.map(({ path }) => path);
  if (isFlat) return { start, names: chooseNames(paths, start?.path) };
  const renamed = start !== undefined && !isInFolder(start) ? start.path : undefined;
  return { start, names: new Map(paths.map((path) => [path, path === renamed ? INDEX : path])) };
}
