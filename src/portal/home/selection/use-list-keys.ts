import type { KeyboardEvent } from "react";
import type { ItemPages } from "../use-item-pages.ts";
import type { SelectionHandle } from "./use-selection.ts";

/** Rows per page key. */
const PAGE = 10;

interface Options {
  pages: ItemPages;
  selection: SelectionHandle;
  /** Items per row. */
  columns: number;
  onOpen(key: string): void;
  onDelete(keys: ReadonlySet<string>): void;
}

/** Returns the keyboard handler of a list or gallery. */
export function useListKeys({ pages, selection, columns, onOpen, onDelete }: Options) {
  const { keys, indexes } = pages;
  const { selected, activeKey, actions } = selection;

  /** Returns the key of the item that a keypress moves to. */
  function targetOf({ key }: KeyboardEvent): string | undefined {
    const index = activeKey === undefined ? undefined : indexes.get(activeKey);
    if (index === undefined) return undefined;
    const last = keys.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: index + columns > last ? index : index + columns,
      ArrowUp: index - columns < 0 ? index : index - columns,
      ...(columns > 1 ? { ArrowRight: Math.min(index + 1, last), ArrowLeft: Math.max(index - 1, 0) } : {}),
      PageDown: Math.min(index + PAGE * columns, last),
      PageUp: Math.max(index - PAGE * columns, 0),
      Home: 0,
      End: last,
    };
    const target = targets[key];
    return target === undefined ? undefined : keys[target];
  }

  const listActions: Readonly<Record<string, (active: string) => void>> = {
    Delete: (active) => onDelete(selected.size > 0 ? selected : new Set([active])),
    ...(selected.size > 0 ? { Escape: actions.clear } : {}),
  };
  /** Inside an item, these keys belong to its links and buttons. */
  const itemActions: Readonly<Record<string, (active: string) => void>> = { " ": actions.toggle, Enter: onOpen };

  /** Returns the action of a key that doesn't move; undefined without one. */
  function actionFor({ key, target, ctrlKey, metaKey }: KeyboardEvent): ((active: string) => void) | undefined {
    if (ctrlKey || metaKey) return key.toLowerCase() === "a" ? actions.selectLoaded : undefined;
    const isItem = target instanceof HTMLElement && target.dataset.key !== undefined;
    return listActions[key] ?? (isItem ? itemActions[key] : undefined);
  }

  return (event: KeyboardEvent) => {
    if (activeKey === undefined) return;
    const target = targetOf(event);
    const move = event.shiftKey ? actions.extendTo : actions.moveTo;
    const action = target === undefined ? actionFor(event) : () => move(target);
    if (action === undefined) return;
    event.preventDefault();
    action(activeKey);
  };
}
