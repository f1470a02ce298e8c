import type { ItemReference } from "../api/references.ts";
import type { Dragged } from "../shared/drag.ts";
import { type Contents, type Entry, isWithin } from "./entries.ts";

/** A drop target: an entry, or a heading that stands for no folder or parent. */
export type Target = Entry | "unfiled" | "root" | "top";

/** The effect of a drop. */
export type Outcome =
  | { type: "file"; folderId: string | null }
  | { type: "tag"; id: string }
  | { type: "move"; kind: "folder" | "tag"; id: string; parentId: string | null }
  /** A plausible target, with the reason it is refused. */
  | { type: "refuse"; reason: string };

/** Returns undefined where a drop has no meaning. */
export function outcomeOf(dragged: Dragged, target: Target, entries: Contents["entries"]): Outcome | undefined {
  if (dragged.kind === "items") return outcomeForItems(target);
  const moved = entries.get(dragged.id);
  if (moved === undefined) return undefined;
  return dragged.kind === "folder" ? outcomeForFolder(moved, target) : outcomeForTag(moved, target, entries);
}

function outcomeForItems(target: Target): Outcome | undefined {
  if (target === "unfiled") return { type: "file", folderId: null };
  if (typeof target === "string") return undefined;
  if (target.kind === "folder") return { type: "file", folderId: target.id };
  if (target.kind === "tag") return { type: "tag", id: target.id };
  if (target.kind === "drawer")
    return { type: "refuse", reason: "Reports can only be filed in folders. Drop them on a folder." };
  return undefined;
}

function outcomeForFolder(folder: Entry, target: Target): Outcome | undefined {
  const move = (parentId: string | null): Outcome | undefined =>
    parentId === folder.parentId ? undefined : { type: "move", kind: "folder", id: folder.id, parentId };
  if (target === "root") return move(null);
  if (typeof target === "string") return undefined;
  if (target.kind === "drawer") return move(target.id);
  if (target.kind !== "folder" || target.id === folder.id) return undefined;
  return { type: "refuse", reason: "Folders can only be moved to a drawer or the root." };
}

function outcomeForTag(tag: Entry, target: Target, entries: Contents["entries"]): Outcome | undefined {
  const move = (parentId: string | null): Outcome | undefined =>
    parentId === tag.parentId ? undefined : { type: "move", kind: "tag", id: tag.id, parentId };
  if (target === "top") return move(null);
  if (typeof target === "string" || target.kind !== "tag" || target.id === tag.id) return undefined;
  if (isWithin(entries, target, tag.id)) return { type: "refuse", reason: "A tag can't be moved below itself." };
  return move(target.id);
}

/** Most reports per call. */
const ITEMS_PER_CALL = 200;

/** Splits reports into API calls. */
export const slicesOf = (items: readonly ItemReference[]): ItemReference[][] =>
  Array.from({ length: Math.ceil(items.length / ITEMS_PER_CALL) }, (_, part) =>
    items.slice(part * ITEMS_PER_CALL, (part + 1) * ITEMS_PER_CALL),
  );
