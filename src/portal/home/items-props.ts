import type { SyntheticEvent } from "react";
import type { ItemFilter } from "../api/filter.ts";
import type { SelectionHandle } from "./selection/use-selection.ts";
import type { Item } from "./slots.ts";
import type { Cabinet } from "./use-cabinet.ts";
import type { ItemPages } from "./use-item-pages.ts";

/** Shared by list and gallery. */
export interface ItemsProps {
  /** The accessible name. */
  label: string;
  filter: ItemFilter;
  pages: ItemPages;
  cabinet: Cabinet;
  selection: SelectionHandle;
  onSort(sort: ItemFilter["sort"]): void;
  onOpen(key: string): void;
  onDelete(keys: ReadonlySet<string>): void;
  /** Records which report a menu opens for. */
  onMenu(event: SyntheticEvent): void;
  draggedWith(key: string): readonly Item[];
}
