import { useKeys } from "../../shared/keyboard.ts";
import type { Item } from "../slots.ts";
import type { ItemPages } from "../use-item-pages.ts";
import type { Stars } from "../use-stars.ts";
import type { DialogKind } from "./use-dialog.ts";
import type { SelectionHandle } from "./use-selection.ts";

interface Options {
  pages: ItemPages;
  selection: SelectionHandle;
  stars: Stars;
  /** Returns a report, or the selection that contains it. */
  itemsWith(key: string): readonly Item[];
  onOpen(key: string): void;
  onDialog(kind: DialogKind, items: readonly Item[]): void;
  onDelete(keys: ReadonlySet<string>): void;
}

/** Single keys for the reports of the page, wherever the focus is. */
export function useReportKeys({ pages, selection, stars, itemsWith, onDialog }: Options): void {
  const { keys, indexes } = pages;
  const { activeKey, selected, items, actions } = selection;

  function move(step: number): void {
    const index = activeKey === undefined ? -1 : (indexes.get(activeKey) ?? -1);
    // The first press only shows where the focus is.
    const isThere = document.activeElement?.closest("[data-key]") !== null;
    const target = keys[isThere ? Math.min(Math.max(index + step, 0), keys.length - 1) : Math.max(index, 0)];
    if (target !== undefined) actions.moveTo(target);
  }

  /** Runs for the selection, or else for the report with the focus. */
  const withItems = (run: (items: readonly Item[]) => void) => () => {
    const chosen = selected.size > 0 ? items : activeKey === undefined ? [] : itemsWith(activeKey);
    if (chosen.length === 0) return false;
    run(chosen);
    return true;
  };
  const dialog = (kind: DialogKind) => withItems((chosen) => onDialog(kind, chosen));

  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => activeKey !== undefined && actions.toggle(activeKey),
    e: withItems(([first, ...others]) => {
      if (first !== undefined && others.length === 0 && first.kind === "group") onDialog("rename", [first]);
    }),
    m: dialog("folder"),
    t: dialog("tags"),
    v: dialog("share"),
    s: withItems(([first, ...others]) => {
      if (first !== undefined && others.length === 0) stars.toggle(first);
    }),
  });
}
