/** Content of a drop, read while the event still exposes it. */
export interface Dropped {
  /** Folders, and files that the browser gives in no other way. */
  entries: readonly FileSystemEntry[];
  files: readonly File[];
}

/** Dropped or pasted files, or pasted HTML. */
export type Handed = Dropped | string;

/** Returns the files and folders of a drop. Must run during its event. */
export function emptyTransfer(transfer: DataTransfer): Dropped {
  const entries: FileSystemEntry[] = [];
  const files: File[] = [];
  for (const item of transfer.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    // A file itself stays readable after the event; in WebKit, an entry of one may not.
    const file = entry?.isDirectory === true ? null : item.getAsFile();
    if (file !== null) files.push(file);
    else if (entry !== null) entries.push(entry);
  }
  return { entries, files };
}
