/** A file to publish. */
export interface DraftFile {
  id: string;
  /** Its name in the report, preceded by the folders it came from, which a report can't have. */
  path: string;
  source: Blob;
}

export const INDEX = "index.html";

const NAME = /^[A-Za-z0-9._-]{1,255}$/;
const HTML = /\.html?$/i;
const SOURCE_MAP = /\.(?:js|mjs|css)\.map$/i;
/** System files, besides hidden ones. */
const SYSTEM_FILES: ReadonlySet<string> = new Set(["thumbs.db", "desktop.ini", "__macosx"]);

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const isInFolder = ({ path }: Pick<DraftFile, "path">): boolean => path.includes("/");
export const isHtml = ({ path }: Pick<DraftFile, "path">): boolean => HTML.test(path);
/** Source maps only help to debug scripts. */
export const isSourceMap = ({ path }: Pick<DraftFile, "path">): boolean => SOURCE_MAP.test(path);
export const isUsableName = (name: string): boolean => NAME.test(name) && name !== "." && name !== "..";

/** Returns whether the file or a folder above it is hidden or a system file. */
export const isHidden = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || SYSTEM_FILES.has(part.toLowerCase()));

export const totalSize = (files: readonly DraftFile[]): number =>
  files.reduce((sum, { source }) => sum + source.size, 0);

/** Returns the folder that contains all files, or undefined. It can be removed from their paths. */
export function commonFolder(paths: readonly string[]): string | undefined {
  const [first = ""] = paths;
  const folder = first.slice(0, first.indexOf("/") + 1);
  return folder !== "" && paths.every((path) => path.startsWith(folder)) ? folder.slice(0, -1) : undefined;
}
