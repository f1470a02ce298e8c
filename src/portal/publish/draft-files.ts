/** A file to publish. */
export interface DraftFile {
  id: string;
  /** Its name in the report, preceded by the folders it came from, which a report can't have. */
  path: string;
  source: Blob;
}

export const INDEX = "index.html";

const NAME = /^[A-Za-z0-9._-]{1,255}$/;
const MAX_NAME_LENGTH = 255;
const MAX_EXTENSION_LENGTH = 16;
const HTML = /\.html?$/i;
/** System files, besides hidden ones. */
const SYSTEM_FILES: ReadonlySet<string> = new Set(["thumbs.db", "desktop.ini", "__macosx"]);

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const isInFolder = ({ path }: DraftFile): boolean => path.includes("/");
export const isHtml = ({ path }: DraftFile): boolean => HTML.test(path);
export const isUsableName = (name: string): boolean => NAME.test(name) && name !== "." && name !== "..";

/** Returns whether the file or a folder above it is hidden or a system file. */
export const isHidden = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || SYSTEM_FILES.has(part.toLowerCase()));

/** Returns the closest valid file name. */
export function correctedName(name: string): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ""];
  const usableStem = /^\.*$/.test(plain(stem)) ? "file" : plain(stem);
  const usableEnding = plain(ending);
  return cut(usableStem + (usableEnding === "" ? "" : `.${usableEnding}`));
}

/** Removes accents and replaces invalid characters with hyphens. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^-+|-+$/g, "");

/** Truncates at the start, because the end holds the extension. */
function cut(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot, dot + MAX_EXTENSION_LENGTH) : "";
  return name.slice(0, MAX_NAME_LENGTH - ending.length) + ending;
}

/** Adds a number before the extension if the name is taken. */
export function availableName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 2, candidate = name; ; number++) {
    if (!taken.has(candidate)) return candidate;
    const mark = `-${number}`;
    candidate = stem.slice(0, MAX_NAME_LENGTH - mark.length - ending.length) + mark + ending;
  }
}

/** Returns the files with one of them renamed. */
export const renamed = (files: readonly DraftFile[], id: string, path: string): DraftFile[] =>
  files.map((file) => (file.id === id ? { ...file, path } : file));

export const totalSize = (files: readonly DraftFile[]): number =>
  files.reduce((sum, { source }) => sum + source.size, 0);
