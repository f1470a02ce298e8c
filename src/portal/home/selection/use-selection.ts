import { useEffect, useMemo, useRef, useState } from "react";
import { type Item, keyOf } from "../slots.ts";
import type { ItemPages } from "../use-item-pages.ts";
import {
  clear,
  extend,
  moveTo,
  neighbourOf,
  nothingSelected,
  type Order,
  type Selection,
  selectFirst,
  toggle,
} from "./selection.ts";

export interface SelectionHandle {
  /** Keys of what is selected and in the list. */
  selected: ReadonlySet<string>;
  items: readonly Item[];
  isOver: boolean;
  /** Where the keyboard is. */
  activeKey: string | undefined;
  /** Counts how often the focus was asked to go there. */
  focusWish: number;
  actions: SelectionActions;
}

export interface SelectionActions {
  toggle(key: string): void;
  /** Selects from where a range begins up to here. */
  extendTo(key: string): void;
  selectLoaded(): void;
  clear(): void;
  /** Moves the keyboard there. */
  moveTo(key: string): void;
  /** Says where the keyboard is already. */
  noteFocus(key: string): void;
  /** Moves the keyboard back into the list. */
  focus(): void;
  /** Moves it away from what is about to vanish, and has nothing selected. */
  leave(keys: ReadonlySet<string>): void;
}

/** What is selected in a list of reports and where the keyboard is in it; another list begins with nothing. */
export function useSelection(pages: ItemPages): SelectionHandle {
  const [selection, setSelection] = useState<Selection>(nothingSelected);
  const [focusWish, setFocusWish] = useState(0);
  const [listKey, setListKey] = useState(pages.key);
  if (listKey !== pages.key) {
    setListKey(pages.key);
    setSelection(nothingSelected);
  }
  const order = useRef<Order>(pages);
  const last = useRef<Place>({ index: 0, code: undefined });
  const { keys, indexes, items } = pages;

  const selected = useMemo(
    () => new Set([...selection.keys].filter((key) => indexes.has(key))),
    [selection.keys, indexes],
  );
  const activeKey = activeOf(selection, pages, last.current);
  useEffect(() => {
    order.current = { keys, indexes };
    const index = activeKey === undefined ? undefined : indexes.get(activeKey);
    last.current = { index: index ?? 0, code: index === undefined ? undefined : items[index]?.code };
    if (activeKey !== undefined) setSelection((before) => follow(before, activeKey));
  }, [keys, indexes, items, activeKey]);

  const actions = useMemo((): SelectionActions => {
    const focus = () => setFocusWish((count) => count + 1);
    const move = (change: (before: Selection) => Selection) => {
      setSelection(change);
      focus();
    };
    return {
      toggle: (key) => setSelection((before) => toggle(before, key)),
      extendTo: (key) => move((before) => extend(before, key, order.current)),
      selectLoaded: () => setSelection((before) => selectFirst(before, order.current)),
      clear: () => setSelection(clear),
      moveTo: (key) => move((before) => moveTo(before, key)),
      noteFocus: (key) => setSelection((before) => (before.active === key ? before : { ...before, active: key })),
      focus,
      leave: (gone) => {
        const neighbour = neighbourOf(gone, order.current);
        move(() => ({ ...nothingSelected, active: neighbour, anchor: neighbour }));
      },
    };
  }, []);

  const selectedItems = useMemo(
    () => items.filter((_, index) => selected.has(keys[index] ?? "")),
    [items, keys, selected],
  );
  return { selected, items: selectedItems, isOver: selection.isOver, activeKey, focusWish, actions };
}

interface Place {
  index: number;
  code: string | undefined;
}

/** Where it was; or what that is called now; or when it has left the list, what has taken its place. */
function activeOf({ active }: Selection, { keys, indexes, items }: ItemPages, last: Place): string | undefined {
  if (active === undefined) return keys[0];
  if (indexes.has(active)) return active;
  const renamed = items.find(({ code }) => code === last.code);
  return renamed === undefined ? keys[Math.min(last.index, keys.length - 1)] : keyOf(renamed);
}

const follow = (selection: Selection, active: string): Selection =>
  selection.active === undefined || selection.active === active ? selection : { ...selection, active };
