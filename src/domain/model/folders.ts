import { newId } from "./codes.ts";
import type { Folder } from "./entities.ts";
import type { Random } from "./ports.ts";

/**
 * Reads a legacy folder label: `A` is a folder at the root, `A/B/C` the folder `B/C` in the drawer `A`, a blank one
 * means no folder. Blank parts are dropped.
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

/** The same with ids for what may have to be made. */
export function wantFolder(path: FolderPath | null, random: Random): WantedFolder | null {
  return path && { ...path, newDrawerId: newId(random, "drw"), newFolderId: newId(random, "fld") };
}

/** The label that names a folder, as `parseFolderLabel` reads it. */
export function folderLabel(folder: Pick<Folder, "title" | "drawerTitle">): string {
  return folder.drawerTitle === null ? folder.title : `${folder.drawerTitle}/${folder.title}`;
}

/** Titles; a folder without a drawer is at the root. */
export interface FolderPath {
  drawer: string | null;
  folder: string;
}
/** A folder by its titles, with ids to use should it or its drawer have to be made. */
export interface WantedFolder extends FolderPath {
  newDrawerId: string;
  newFolderId: string;
}
