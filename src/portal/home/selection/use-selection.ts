import { useEffect, useMemo, useRef, useState } from "react";
import { type Item, keyOf } from "../slots.ts";
import type { ItemPages } from "../use-item-pages.ts";
import {
  clear,
  extend,
  moveTo,
  neighborOf,
  nothingSelected,
  type Order,
  type Selection,
  selectFirst,
  toggle,
} from "./selection.ts";

export interface SelectionHandle {
  /** Selected keys that are in the list. */
  selected: ReadonlySet<string>;
  items: readonly Item[];
  isOver: boolean;
  /** The key with the keyboard focus. */
  activeKey: string | undefined;
  /** Counts requests to focus it. */
  focusWish: number;
  actions: SelectionActions;
}

export interface SelectionActions {
  toggle(key: string): void;
  /** Selects from the range's start to this key. */
  extendTo(key: string): void;
  selectLoaded(): void;
  clear(): void;
  /** Moves the focus to a key. */
  moveTo(key: string): void;
  /** Records where the focus is. */
  noteFocus(key: string): void;
  /** Returns the focus to the list. */
  focus(): void;
  /** Moves the focus away from items about to disappear, and clears the selection. */
  leave(keys: ReadonlySet<string>): void;
}

/** Returns the selection and focused item of a list; both reset when the list is another one. */
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
        const neighbor = neighborOf(gone, order.current);
        setSelection({ ...nothingSelected, active: neighbor, anchor: neighbor });
        // If nothing stays, the focus is not for the list to keep.
        if (neighbor !== undefined) focus();
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

/** Returns the active key; if it was renamed, its new key; if it left the list, the one now in its place. */
function activeOf({ active }: Selection, { keys, indexes, items }: ItemPages, last: Place): string | undefined {
  if (active === undefined) return keys[0];
  if (indexes.has(active)) return active;
  const renamed = items.find(({ code }) => code === last.code);
  return renamed === undefined ? keys[Math.min(last.index, keys.length - 1)] : keyOf(renamed);
}

const follow = (selection: Selection, active: string): Selection =>
  selection.active === undefined || selection.active === active ? selection : { ...selection, active };
