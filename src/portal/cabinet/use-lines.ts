import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";
import { useCabinet } from "./context.ts";
import type { Row } from "./rows.ts";

/** Pixels of a line that has not been measured yet. */
const LINE = 32;
/** Lines above and below those that can be seen. */
const SPARE = 10;

interface Options {
  list: RefObject<HTMLElement | null>;
  rows: readonly Row[];
  /** Indexes of rows that are on the page wherever it has been scrolled to; others than those of rows mean nothing. */
  always: readonly number[];
}

/** Which rows of a list are on the page and where, in pixels from the top of the list. */
export function useLines({ list, rows, always }: Options) {
  const { scroller } = useCabinet();
  const scrollMargin = useScrollMargin(list);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => LINE,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: SPARE,
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

/** Pixels of what stands above the list in all that scrolls. */
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
