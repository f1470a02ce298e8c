/** A file on its way into a report. */
export interface DraftFile {
  id: string;
  /** Its name in the report; before it the folders in which it lies, which a report has none of. */
  path: string;
  source: Blob;
}

export const INDEX = "index.html";

const NAME = /^[A-Za-z0-9._-]{1,255}$/;
const LONGEST_NAME = 255;
const LONGEST_ENDING = 16;
const HTML = /\.html?$/i;
/** What systems leave in folders, besides what begins with a dot. */
const LEFTOVERS: ReadonlySet<string> = new Set(["thumbs.db", "desktop.ini", "__macosx"]);

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const isInFolder = ({ path }: DraftFile): boolean => path.includes("/");
export const isHtml = ({ path }: DraftFile): boolean => HTML.test(path);
export const isUsableName = (name: string): boolean => NAME.test(name) && name !== "." && name !== "..";

/** Whether it, or a folder that it lies in, is hidden or none of the reader's making. */
export const isHidden = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || LEFTOVERS.has(part.toLowerCase()));

/** The nearest name that a report's file may have. */
export function correctedName(name: string): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ""];
  const usableStem = /^\.*$/.test(plain(stem)) ? "file" : plain(stem);
  const usableEnding = plain(ending);
  return cut(usableStem + (usableEnding === "" ? "" : `.${usableEnding}`));
}

/** Letters without their accents, and a hyphen for whatever a name may not have. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^-+|-+$/g, "");

/** Of a long name the end stays, which says what kind of file it is. */
function cut(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot, dot + LONGEST_ENDING) : "";
  return name.slice(0, LONGEST_NAME - ending.length) + ending;
}

/** The same with a number before its ending, where others have the name already. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 2, candidate = name; ; number++) {
    if (!taken.has(candidate)) return candidate;
    const mark = `-${number}`;
    candidate = stem.slice(0, LONGEST_NAME - mark.length - ending.length) + mark + ending;
  }
}

/** The same files, one of them under another path. */
export const renamed = (files: readonly DraftFile[], id: string, path: string): DraftFile[] =>
  files.map((file) => (file.id === id ? { ...file, path } : file));

export const totalSize = (files: readonly DraftFile[]): number =>
  files.reduce((sum, { source }) => sum + source.size, 0);
