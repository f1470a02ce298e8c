import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

/** Pixels covered by the page's and the list's headers at the top, and by the selection bar at the bottom. */
const COVERED_TOP = 96;
const COVERED_BOTTOM = 88;

interface Options {
  list: RefObject<HTMLElement | null>;
  count: number;
  height: number;
  /** The focusable row: always rendered. */
  activeRow: number | undefined;
  /** Keys of all items in order, `columns` per row. */
  keys: readonly string[];
  columns: number;
  /** Changes when the list is another one, not when it is updated. */
  listKey: string;
  /** Rows rendered beyond the visible ones. */
  overscan: number;
}

/** Virtualizes rows of equal height in a page that scrolls as a whole. */
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
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height moves every row
  useLayoutEffect(() => virtualizer.measure(), [height, virtualizer]);
  const offset = () => (virtualizer.scrollOffset ?? 0) - scrollMargin;
  /** Scrolls to a row, or as little as shows it. Rows are equally high, so the page need not be laid out for it. */
  const scrollToRow = (row: number, align: "top" | "nearest" = "nearest") => {
    const top = scrollMargin + row * height;
    const [lowest, highest] = [top + height + COVERED_BOTTOM - innerHeight, top - COVERED_TOP];
    const now = virtualizer.scrollOffset ?? 0;
    const wanted = align === "top" ? highest : Math.min(Math.max(now, lowest), highest);
    if (wanted !== now) scrollTo(0, wanted);
  };
  useAnchor({ keys, listKey, columns, height, offset });
  useReflow({
    count,
    columns,
    height,
    offset,
    scrollToItem(first) {
      const isFocused = list.current?.contains(document.activeElement) ?? false;
      if (isFocused && activeRow !== undefined) scrollToRow(activeRow);
      else if (first > 0) scrollToRow(Math.floor(first / columns), "top");
    },
  });

  const { range } = virtualizer;
  return {
    rows: virtualizer.getVirtualItems(),
    totalHeight: virtualizer.getTotalSize(),
    scrollMargin,
    firstRow: range?.startIndex ?? 0,
    lastRow: range?.endIndex ?? 0,
    scrollToRow,
  };
}

/**
 * Returns an element's distance from the page's top, in pixels. Measured when the list changes or grows but not while
 * scrolling, where it would force a layout; what can appear above it meanwhile is smaller than the overscan.
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
  /** Returns the pixels scrolled past the list's top. */
  offset(): number;
}

/** Keeps visible items in place when items above them come or go. */
function useAnchor({ keys, listKey, columns, height, offset }: AnchorOptions): void {
  const before = useRef({ keys, listKey });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of items moves rows
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

interface ReflowOptions extends Pick<Options, "count" | "columns" | "height">, Pick<AnchorOptions, "offset"> {
  /** Scrolls to the focused item. Without one, scrolls to the item with the given index. */
  scrollToItem(first: number): void;
}

/** Keeps the place when the window's size changes how many items a row has, or the height of rows. */
function useReflow({ count, columns, height, offset, scrollToItem }: ReflowOptions): void {
  const before = useRef({ count, columns, height });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another size moves all rows
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { count, columns, height };
    const isSame = old.columns === columns && old.height === height;
    if (isSame || old.count === 0) return;
    const row = Math.floor((offset() + COVERED_TOP) / old.height);
    // The page gets its new height before the next frame.
    const frame = requestAnimationFrame(() => scrollToItem(row * old.columns));
    return () => cancelAnimationFrame(frame);
  }, [columns, height]);
}

/** Most items that may come or go at once without losing the place. */
const MAX_DISTANCE = 200;

function indexNear(keys: readonly string[], key: string, near: number): number | undefined {
  for (let away = 1; away <= MAX_DISTANCE; away++) {
    const index = [near - away, near + away].find((candidate) => keys[candidate] === key);
    if (index !== undefined) return index;
  }
  return undefined;
}
