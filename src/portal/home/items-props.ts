import type { SyntheticEvent } from "react";
import type { ItemFilter } from "../api/filter.ts";
import type { SelectionHandle } from "./selection/use-selection.ts";
import type { Item } from "./slots.ts";
import type { Cabinet } from "./use-cabinet.ts";
import type { ItemPages } from "./use-item-pages.ts";

/** What a list and a gallery show, and what can be done in both. */
export interface ItemsProps {
  /** What is shown, for those who do not see it. */
  label: string;
  filter: ItemFilter;
  pages: ItemPages;
  cabinet: Cabinet;
  selection: SelectionHandle;
  onSort(sort: ItemFilter["sort"]): void;
  onOpen(key: string): void;
  onDelete(keys: ReadonlySet<string>): void;
  /** Notes on which item a menu is about to open. */
  onMenu(event: SyntheticEvent): void;
  draggedWith(key: string): readonly Item[];
}
