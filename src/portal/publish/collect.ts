import { isHidden } from "./draft-files.ts";
import type { Dropped } from "./drop-box.tsx";

/** Files from one source, with what was skipped. */
export interface Collected {
  files: { path: string; source: Blob }[];
  hidden: string[];
  unreadable: string[];
  /** Whether the source has too many files. */
  isCut: boolean;
}

const MAX_FILES = 500;

const nothing = (): Collected => ({ files: [], hidden: [], unreadable: [], isCut: false });

/** Returns the files of an input, without the name of a chosen folder. */
export function collectChosen(chosen: Iterable<File>): Collected {
  const collected = nothing();
  for (const file of chosen) note(collected, withoutFirst(file.webkitRelativePath) || file.name, file);
  return collected;
}

/** Returns dropped files and folders; a folder dropped alone is the report, so its name is removed. */
export async function collectDropped({ entries, files }: Dropped): Promise<Collected> {
  const collected = nothing();
  const isFolder = files.length === 0 && entries.length === 1 && entries[0]?.isDirectory === true;
  for (const entry of entries) await collectEntry(entry, isFolder, collected);
  for (const file of files) note(collected, file.name, file);
  return collected;
}

async function collectEntry(entry: FileSystemEntry, isFolder: boolean, collected: Collected): Promise<void> {
  const whole = entry.fullPath.replace(/^\//, "");
  const path = isFolder ? withoutFirst(whole) : whole;
  if (collected.isCut) return;
  if (path !== "" && isHidden(path)) {
    collected.hidden.push(entry.name);
    return;
  }
  try {
    if (isDirectory(entry)) {
      for (const inner of await entriesOf(entry)) await collectEntry(inner, isFolder, collected);
    } else if (isFile(entry)) {
      note(collected, path, await new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
    }
  } catch {
    collected.unreadable.push(path);
  }
}

function note(collected: Collected, path: string, source: File): void {
  if (isHidden(path)) collected.hidden.push(source.name);
  else if (collected.files.length < MAX_FILES) collected.files.push({ path, source });
  else collected.isCut = true;
}

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const withoutFirst = (path: string): string => path.slice(path.indexOf("/") + 1 || path.length);

/** Reads all entries of a folder, which arrive in batches. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return found;
    found.push(...portion);
  }
}
