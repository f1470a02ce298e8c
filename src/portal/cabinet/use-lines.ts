import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";
import { useCabinet } from "./context.ts";
import type { Row } from "./rows.ts";

/** Estimated height of an unmeasured line, in pixels. */
const LINE = 32;
/** Lines rendered beyond the visible ones. */
const OVERSCAN = 10;

interface Options {
  list: RefObject<HTMLElement | null>;
  rows: readonly Row[];
  /** Indexes of rows that stay rendered wherever the list is scrolled; invalid ones are ignored. */
  always: readonly number[];
}

/** Returns the rendered rows and their offsets in pixels. */
export function useLines({ list, rows, always }: Options) {
  const { scroller } = useCabinet();
  const scrollMargin = useScrollMargin(list);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => LINE,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin,
    rangeExtractor: (range) => {
      const kept = always.filter((index) => index >= 0 && index < rows.length);
      return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((one, other) => one - other);
    },
  });
  const lines = virtualizer.getVirtualItems().flatMap(({ index, start }) => {
    const row = rows[index];
    return row === undefined ? [] : [{ index, row, offset: start - scrollMargin }];
  });
  return { lines, height: virtualizer.getTotalSize(), measure: virtualizer.measureElement };
}

/** Returns the distance from the scrolled content's top, in pixels. */
function useScrollMargin(list: RefObject<HTMLElement | null>): number {
  const { scroller } = useCabinet();
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const content = scroller?.firstElementChild;
    if (content === undefined || content === null) return;
    const observer = new ResizeObserver(() => setMargin(list.current?.offsetTop ?? 0));
    observer.observe(content);
    setMargin(list.current?.offsetTop ?? 0);
    return () => observer.disconnect();
  }, [scroller, list]);
  return margin;
}
