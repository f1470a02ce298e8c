import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ItemsProps } from "../items-props.ts";
import { isByCreation, sortOf } from "../list/columns.ts";
import { MoreFailed } from "../list/waiting-rows.tsx";
import { Part } from "../part.tsx";
import { useListFocus } from "../selection/use-focus.ts";
import { useListKeys } from "../selection/use-list-keys.ts";
import { useListPointer } from "../selection/use-list-pointer.ts";
import { useWindowRows } from "../use-window-rows.ts";
import styles from "./gallery.module.css";
import { GalleryCard, WaitingCard } from "./gallery-card.tsx";
import { useLiveFrame } from "./use-live-frame.ts";
import { useMissingPictures } from "./use-missing-pictures.ts";

const GAP = 16;
/** Minimum card width in pixels; less only on narrower screens. */
const MIN_CARD_WIDTH = 260;
/** Height below the thumbnail, in pixels. */
const CAPTION = 64;
const SHAPE = 10 / 16;

/** Shows reports as cards with a preview. */
export function Gallery(props: ItemsProps) {
  const { label, filter, pages, cabinet, selection, onOpen, onPreload, onDelete, draggedWith } = props;
  const { items, keys, indexes, hasMore, moreError } = pages;
  const { selected, activeKey, actions } = selection;
  const list = useRef<HTMLDivElement>(null);
  const width = useWidth(list);
  const columns = Math.max(1, Math.floor((width + GAP) / (MIN_CARD_WIDTH + GAP)));
  const cardWidth = Math.floor((width - GAP * (columns - 1)) / columns);
  const cardHeight = Math.round(cardWidth * SHAPE) + CAPTION;
  const activeIndex = activeKey === undefined ? undefined : indexes.get(activeKey);
  const isWaiting = hasMore && moreError === null;
  const count = items.length + (isWaiting ? columns : 0);
  const { rows, totalHeight, scrollMargin, firstRow, lastRow, scrollToRow } = useWindowRows({
    list,
    count: width === 0 ? 0 : Math.ceil(count / columns),
    height: cardHeight + GAP,
    activeRow: activeIndex === undefined ? undefined : Math.floor(activeIndex / columns),
    keys,
    columns,
    listKey: `${pages.key} ${columns}`,
    overscan: 2,
  });
  const { show } = pages;
  useEffect(() => show(firstRow * columns, (lastRow + 1) * columns), [show, firstRow, lastRow, columns]);
  const scrollTo = (index: number) => scrollToRow(Math.floor(index / columns));
  const focus = useListFocus({ list, pages, selection, columns, scrollTo });
  const onKeyDown = useListKeys({ pages, selection, columns, onOpen, onDelete });
  const pointer = useListPointer({ actions, onOpen, onPreload });
  const live = useLiveFrame();
  useMissingPictures(items.slice(firstRow * columns, (lastRow + 1) * columns));
  const isCreation = isByCreation(sortOf(filter));

  return (
    <>
      <Part
        ref={list}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={hasMore ? -1 : Math.ceil(items.length / columns)}
        aria-colcount={columns}
        aria-busy={pages.isOutdated}
        className={styles.grid}
        style={{ height: totalHeight }}
        data-outdated={pages.isOutdated || undefined}
        data-selecting={selected.size > 0 || undefined}
        onKeyDown={onKeyDown}
        {...pointer}
        {...props.contextMenu}
        {...focus}
      >
        {rows.map(({ index: row, start }) => (
          <Part
            key={row}
            role="row"
            aria-rowindex={row + 1}
            className={styles.row}
            style={{
              transform: `translateY(${start - scrollMargin}px)`,
              gridTemplateColumns: `repeat(${columns}, ${cardWidth}px)`,
              height: cardHeight,
            }}
          >
            {Array.from({ length: columns }, (_, column) => {
              const index = row * columns + column;
              const item = items[index];
              const key = keys[index];
              if (item === undefined || key === undefined) {
                return index < count && <WaitingCard key={index} />;
              }
              return (
                <GalleryCard
                  key={key}
                  item={item}
                  itemKey={key}
                  column={column}
                  width={cardWidth}
                  folder={item.folder_id === null ? undefined : cabinet.folders.get(item.folder_id)}
                  isSelected={selected.has(key)}
                  isActive={key === activeKey}
                  isByCreation={isCreation}
                  frameSource={item.code === live.code ? live.source : undefined}
                  point={live.point}
                  leave={live.leave}
                  actions={actions}
                  draggedWith={draggedWith}
                />
              );
            })}
          </Part>
        ))}
      </Part>
      {moreError !== null && <MoreFailed error={moreError} onRetry={pages.retry} />}
    </>
  );
}

/** Returns an element's width in pixels; 0 before it is rendered. */
function useWidth(ref: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
