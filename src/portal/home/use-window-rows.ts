import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Pixels that the page's header and the list's own cover at the top, and the bar of what is selected at the bottom. */
const COVERED_TOP = 96;
const COVERED_BOTTOM = 88;

interface Options {
  list: RefObject<HTMLElement | null>;
  count: number;
  height: number;
  /** The row that has the focus or would get it: always there. */
  activeRow: number | undefined;
  keyOf(row: number): string;
  /** Other rows than before, not merely changed ones. */
  listKey: string;
  /** Rows that are made beyond those on screen. */
  overscan: number;
}

/** Rows of one height of which those on screen are made, in a page that scrolls as a whole. */
export function useWindowRows({ list, count, height, activeRow, keyOf, listKey, overscan }: Options) {
  const scrollMargin = useTop(list);
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
  useAnchor({ scrollMargin, height, count, keyOf, listKey });

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

/** Pixels from the top of the page to the top of an element, whatever comes to stand above it. */
function useTop(ref: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  // Whatever was painted anew may have moved it.
  useLayoutEffect(() => {
    if (ref.current !== null) setTop(Math.round(ref.current.getBoundingClientRect().top + scrollY));
  });
  return top;
}

type AnchorOptions = Pick<Options, "height" | "count" | "keyOf" | "listKey"> & { scrollMargin: number };

/** Keeps in place what is on screen when rows above it come or go. */
function useAnchor({ scrollMargin, height, count, keyOf, listKey }: AnchorOptions): void {
  const anchor = useRef<{ listKey: string; key: string; row: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const before = anchor.current;
    if (before === undefined || before.listKey !== listKey || keyOf(before.row) === before.key) return;
    const row = rowOf(before.key, before.row, count, keyOf);
    if (row !== undefined) scrollBy(0, (row - before.row) * height);
  });
  useEffect(() => {
    const note = () => {
      const row = Math.floor((scrollY + COVERED_TOP - scrollMargin) / height);
      anchor.current = row > 0 && row < count ? { listKey, key: keyOf(row), row } : undefined;
    };
    note();
    addEventListener("scroll", note, { passive: true });
    return () => removeEventListener("scroll", note);
  });
}

/** Rows that may have come or gone at once without anybody losing their place. */
const FARTHEST = 200;

function rowOf(key: string, near: number, count: number, keyOf: (row: number) => string): number | undefined {
  for (let away = 1; away <= FARTHEST; away++) {
    for (const row of [near - away, near + away]) {
      if (row >= 0 && row < count && keyOf(row) === key) return row;
    }
  }
  return undefined;
}
