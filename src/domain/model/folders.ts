import { newId } from "./codes.ts";
import type { Folder } from "./entities.ts";
import type { Random } from "./ports.ts";

/**
 * Parses a legacy folder label: `A` is a folder at the root, `A/B/C` is the folder `B/C` in the drawer `A`, and a blank
 * label means no folder. Blank parts are dropped.
 */
export function parseFolderLabel(label: string): FolderPath | null {
  const parts = label
    .split("/")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const [first, ...rest] = parts;
  if (first === undefined) return null;
  return rest.length === 0 ? { drawer: null, folder: first } : { drawer: first, folder: rest.join("/") };
}

/** Returns the folder with IDs for itself and its drawer, which are used if they don't exist yet. */
export function prepareFolder(path: FolderPath | null, random: Random): RequestedFolder | null {
  return path && { ...path, newDrawerId: newId(random, "drw"), newFolderId: newId(random, "fld") };
}

/** Returns the label of a folder, as `parseFolderLabel` parses it. */
export function folderLabel(folder: Pick<Folder, "title" | "drawerTitle">): string {
  return folder.drawerTitle === null ? folder.title : `${folder.drawerTitle}/${folder.title}`;
}

/** The titles of a folder and its drawer. A folder without a drawer is at the root. */
export interface FolderPath {
  drawer: string | null;
  folder: string;
}
/** A folder by its titles, with IDs to use if it or its drawer doesn't exist yet. */
export interface RequestedFolder extends FolderPath {
  newDrawerId: string;
  newFolderId: string;
}
