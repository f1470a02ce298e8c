import { loadPart } from "../shared/missing-part.ts";
import { type Collected, note, nothing } from "./collected.ts";
import { baseName, commonFolder, isHidden } from "./draft-files.ts";
import type { Dropped } from "./handed.ts";

/** Returns the files of an input, or those in the only archive. */
export function collectChosen(chosen: Iterable<File>): Promise<Collected> {
  const collected = nothing();
  for (const file of chosen) {
    const [folder] = file.webkitRelativePath.split("/", 1);
    if (folder) collected.from = folder;
    note(collected, withoutFirst(file.webkitRelativePath) || file.name, file);
  }
  return unpacked(collected);
}

/** Returns dropped files and folders, or those in the only archive. A folder dropped alone is the report. */
export async function collectDropped({ entries, files }: Dropped): Promise<Collected> {
  const collected = nothing();
  const [only] = entries;
  const isFolder = files.length === 0 && entries.length === 1 && only?.isDirectory === true;
  if (isFolder) collected.from = only.name;
  for (const entry of entries) await collectEntry(entry, isFolder, collected);
  for (const file of files) note(collected, file.name, file);
  return unpacked(collected);
}

/** An archive among other files may be for readers to download; one alone holds the report. */
async function unpacked(collected: Collected): Promise<Collected> {
  const [only] = collected.files;
  if (collected.files.length !== 1 || only === undefined || !/\.zip$/i.test(only.path)) return withoutFolder(collected);
  const { readArchive } = await loadPart(import("./archive.ts"));
  const { files, hidden, unreadable, isCut } = withoutFolder(await readArchive(only.source));
  return { files, hidden, unreadable, isCut, from: baseName(only.path).replace(/\.zip$/i, "") };
}

/** A folder that contains everything is the report, so its name isn't part of the paths. */
function withoutFolder(collected: Collected): Collected {
  const folder = commonFolder(collected.files.map(({ path }) => path));
  if (folder === undefined) return collected;
  const files = collected.files.map(({ path, source }) => ({ path: path.slice(folder.length + 1), source }));
  return { ...collected, files, from: collected.from ?? folder };
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

const withoutFirst = (path: string): string => path.slice(path.indexOf("/") + 1 || path.length);

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

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
