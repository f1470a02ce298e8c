import { isHidden } from "./draft-files.ts";

/** Files from one source, with what was skipped. */
export interface Collected {
  files: { path: string; source: Blob }[];
  hidden: string[];
  unreadable: string[];
  /** Whether the source has too many files. */
  isCut: boolean;
  /** What the files came from, if it has a name: a folder or an archive. */
  from?: string;
}

/** Files that are looked at; a report has fewer. */
export const MAX_FILES = 500;

export const nothing = (): Collected => ({ files: [], hidden: [], unreadable: [], isCut: false });

/** Adds a file unless it is hidden, or one too many. */
export function note(collected: Collected, path: string, source: Blob): void {
  if (isHidden(path)) collected.hidden.push(path.slice(path.lastIndexOf("/") + 1));
  else if (collected.files.length < MAX_FILES) collected.files.push({ path, source });
  else collected.isCut = true;
}
