import type { ItemReference } from "../api/references.ts";

/** What is dragged within the portal. */
export type Dragged =
  | { kind: "items"; items: readonly ItemReference[] }
  | { kind: "folder"; id: string }
  | { kind: "tag"; id: string };

const KEY = Symbol("dragged");

/** Wraps it for the drag-and-drop library. */
export const dragData = (dragged: Dragged): Record<symbol, unknown> => ({ [KEY]: dragged });

/** Returns undefined for anything else, such as files. */
export const draggedOf = (data: Record<string | symbol, unknown>): Dragged | undefined =>
  // Only `dragData` uses this symbol.
  data[KEY] as Dragged | undefined;
