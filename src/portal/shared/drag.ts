import type { ItemReference } from "../api/references.ts";

/** What is being dragged within the portal. */
export type Dragged =
  | { kind: "items"; items: readonly ItemReference[] }
  | { kind: "folder"; id: string }
  | { kind: "tag"; id: string };

const KEY = Symbol("dragged");

/** As the drag and drop library carries it about. */
export const dragData = (dragged: Dragged): Record<symbol, unknown> => ({ [KEY]: dragged });

/** Undefined for what does not come from here, such as files. */
export const draggedOf = (data: Record<string | symbol, unknown>): Dragged | undefined =>
  // Only `dragData` has the symbol.
  data[KEY] as Dragged | undefined;
