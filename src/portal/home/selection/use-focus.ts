import { type RefObject, useLayoutEffect, useRef } from "react";
import type { ItemPages } from "../use-item-pages.ts";
import type { SelectionHandle } from "./use-selection.ts";

interface Options {
  list: RefObject<HTMLElement | null>;
  pages: ItemPages;
  selection: SelectionHandle;
  /** The items per row. */
  columns: number;
  /** Scrolls to an item by index. */
  scrollTo(index: number): void;
}

const elementOf = (list: HTMLElement, key: string) =>
  list.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);

/** Keeps the focus in the list, even when the focused item leaves it. */
export function useListFocus({ list, pages, selection, columns, scrollTo }: Options) {
  const { activeKey, focusWish, actions } = selection;
  const hadFocus = useRef(false);
  const latest = useRef({ activeKey, indexes: pages.indexes, scrollTo });
  latest.current = { activeKey, indexes: pages.indexes, scrollTo };

  useLayoutEffect(() => {
    const { activeKey: key, indexes } = latest.current;
    if (focusWish === 0 || key === undefined || list.current === null) return;
    const index = indexes.get(key);
    if (index !== undefined) latest.current.scrollTo(index);
    elementOf(list.current, key)?.focus({ preventScroll: true });
  }, [focusWish, list]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the list or its rows may have removed the focused element
  useLayoutEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body) return;
    if (activeKey !== undefined && list.current !== null)
      elementOf(list.current, activeKey)?.focus({ preventScroll: true });
  }, [activeKey, pages.keys, columns, list]);

  return {
    onFocus: (event: { target: EventTarget }) => {
      hadFocus.current = true;
      const item = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-key]") : null;
      if (item?.dataset.key !== undefined) actions.noteFocus(item.dataset.key);
    },
    onBlur: (event: { relatedTarget: EventTarget | null }) => {
      if (event.relatedTarget !== null) hadFocus.current = false;
    },
  };
}
