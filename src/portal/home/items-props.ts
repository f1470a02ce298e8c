import type { ItemFilter } from "../api/filter.ts";
import type { useContextMenu } from "../shared/menu/use-context-menu.ts";
import type { ColumnId } from "./list/columns.ts";
import type { SelectionHandle } from "./selection/use-selection.ts";
import type { Item } from "./slots.ts";
import type { Cabinet } from "./use-cabinet.ts";
import type { ItemPages } from "./use-item-pages.ts";
import type { Stars } from "./use-stars.ts";

/** Shared by list and gallery. */
export interface ItemsProps {
  /** The accessible name. */
  label: string;
  filter: ItemFilter;
  pages: ItemPages;
  cabinet: Cabinet;
  selection: SelectionHandle;
  stars: Stars;
  /** The chosen columns. */
  columns: readonly ColumnId[];
  /** Handlers that open the menu of a report. */
  contextMenu: ReturnType<typeof useContextMenu>;
  onSort(sort: ItemFilter["sort"]): void;
  onOpen(key: string): void;
  /** Called when a report is likely to be opened. */
  onPreload(key: string): void;
  onDelete(keys: ReadonlySet<string>): void;
  draggedWith(key: string): readonly Item[];
}
