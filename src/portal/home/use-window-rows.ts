import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

/** Pixels that the page's header and the list's own cover at the top, and the bar of what is selected at the bottom. */
const COVERED_TOP = 96;
const COVERED_BOTTOM = 88;

interface Options {
  list: RefObject<HTMLElement | null>;
  count: number;
  height: number;
  /** The row that has the focus or would get it: always there. */
  activeRow: number | undefined;
  /** Of all items, in their order; so many of them are in a row. */
  keys: readonly string[];
  columns: number;
  /** Another list than before, not merely a changed one. */
  listKey: string;
  /** Rows that are made beyond those on screen. */
  overscan: number;
}

/** Rows of one height of which those on screen are made, in a page that scrolls as a whole. */
export function useWindowRows({ list, count, height, activeRow, keys, columns, listKey, overscan }: Options) {
  const scrollMargin = useTop(list, listKey, count);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const rows = defaultRangeExtractor(range);
      if (activeRow === undefined || activeRow >= range.count || rows.includes(activeRow)) return rows;
      return [...rows, activeRow].sort((one, other) => one - other);
    },
    [activeRow],
  );
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan,
    scrollMargin,
    rangeExtractor,
    scrollPaddingStart: COVERED_TOP,
    scrollPaddingEnd: COVERED_BOTTOM,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights make other places
  useLayoutEffect(() => virtualizer.measure(), [height, virtualizer]);
  useAnchor({ keys, listKey, columns, height, offset: () => (virtualizer.scrollOffset ?? 0) - scrollMargin });

  const { range } = virtualizer;
  return {
    rows: virtualizer.getVirtualItems(),
    totalHeight: virtualizer.getTotalSize(),
    scrollMargin,
    firstRow: range?.startIndex ?? 0,
    lastRow: range?.endIndex ?? 0,
    scrollToRow: (row: number) => virtualizer.scrollToIndex(row, { align: "auto" }),
  };
}

/**
 * Pixels from the top of the page to the top of an element. Measured when the list has become another one or longer, and
 * not while one scrolls, where it would cost a layout; what may come above it meanwhile is less than the rows beyond.
 */
function useTop(ref: RefObject<HTMLElement | null>, listKey: string, count: number): number {
  const [top, setTop] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    if (ref.current !== null) setTop(Math.round(ref.current.getBoundingClientRect().top + scrollY));
  }, [ref, listKey, count]);
  return top;
}

interface AnchorOptions extends Pick<Options, "keys" | "listKey" | "columns" | "height"> {
  /** Pixels by which the list's top has been scrolled out of the page. */
  offset(): number;
}

/** Keeps in place what is on screen when items above it come or go. */
function useAnchor({ keys, listKey, columns, height, offset }: AnchorOptions): void {
  const before = useRef({ keys, listKey });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other items move anything
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { keys, listKey };
    if (old.listKey !== listKey || old.keys === keys) return;
    const row = Math.floor((offset() + COVERED_TOP) / height);
    const index = row * columns;
    const key = old.keys[index];
    if (row <= 0 || key === undefined || keys[index] === key) return;
    const moved = indexNear(keys, key, index);
    if (moved !== undefined) scrollBy(0, (Math.floor(moved / columns) - row) * height);
  }, [keys, listKey]);
}

/** Items that may have come or gone at once without anybody losing their place. */
const FARTHEST = 200;

function indexNear(keys: readonly string[], key: string, near: number): number | undefined {
  for (let away = 1; away <= FARTHEST; away++) {
    const index = [near - away, near + away].find((candidate) => keys[candidate] === key);
    if (index !== undefined) return index;
  }
  return undefined;
}
