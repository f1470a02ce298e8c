import { useMediaQuery } from "@mantine/hooks";
import { useDeferredValue, useEffect, useMemo, useRef } from "react";
import type { ItemsProps } from "../items-props.ts";
import { Part } from "../part.tsx";
import { useListFocus } from "../selection/use-focus.ts";
import { useListKeys } from "../selection/use-list-keys.ts";
import { useListPointer } from "../selection/use-list-pointer.ts";
import { useWindowRows } from "../use-window-rows.ts";
import { type ColumnId, fittingColumns, isByCreation, sortOf, templateOf, useListWidth } from "./columns.ts";
import styles from "./list.module.css";
import { ListHead } from "./list-head.tsx";
import { ListRow } from "./list-row.tsx";
import { WaitingRow } from "./waiting-rows.tsx";

/** Row heights in pixels. */
const HEIGHT = 44;
const COMPACT_HEIGHT = 60;
/** What the second line of a row shows on small screens. */
const COMPACT_COLUMNS: readonly ColumnId[] = ["audience", "folder", "time"];
/** Placeholder rows for the next page. */
const WAITING = 4;
const OVERSCAN = 12;

/** A virtualized list of reports. */
export function ReportList(props: ItemsProps) {
  const { label, filter, pages, cabinet, selection, stars, onSort, onOpen, onPreload, onDelete, draggedWith } = props;
  const { items, keys, indexes, hasMore, moreError } = pages;
  const { selected, activeKey, actions } = selection;
  const list = useRef<HTMLDivElement>(null);
  const isCompact = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const height = isCompact ? COMPACT_HEIGHT : HEIGHT;
  const waiting = hasMore ? (moreError === null ? WAITING : 1) : 0;
  const activeRow = activeKey === undefined ? undefined : indexes.get(activeKey);
  // The rows in sight are painted before those beyond them.
  const overscan = useDeferredValue(OVERSCAN, 1);
  const { rows, totalHeight, scrollMargin, firstRow, lastRow, scrollToRow } = useWindowRows({
    ...{ list, height, activeRow },
    count: items.length + waiting,
    keys,
    columns: 1,
    listKey: pages.key,
    overscan,
  });
  const { show } = pages;
  useEffect(() => show(firstRow, lastRow), [show, firstRow, lastRow]);
  const focus = useListFocus({ list, pages, selection, columns: 1, scrollTo: scrollToRow });
  const onKeyDown = useListKeys({ pages, selection, columns: 1, onOpen, onDelete });
  const pointer = useListPointer({ actions, onOpen, onPreload });
  const width = useListWidth();
  const columns = useMemo(
    () => (isCompact ? COMPACT_COLUMNS : fittingColumns(props.columns, width)),
    [isCompact, props.columns, width],
  );
  const byCreation = useMemo(() => isByCreation(sortOf(filter)), [filter]);

  return (
    <Part
      role="grid"
      aria-label={label}
      aria-multiselectable
      aria-rowcount={hasMore ? -1 : items.length + 1}
      aria-busy={pages.isOutdated}
      data-compact={isCompact || undefined}
      className={styles.grid}
      style={gridStyle(columns)}
      onKeyDown={onKeyDown}
      {...focus}
    >
      <ListHead
        filter={filter}
        columns={columns}
        onSort={onSort}
        count={items.length}
        selectedCount={selected.size}
        onSelectAll={actions.selectLoaded}
        onClear={actions.clear}
      />
      <Part
        ref={list}
        role="rowgroup"
        className={styles.body}
        style={{ height: totalHeight }}
        data-outdated={pages.isOutdated || undefined}
        {...pointer}
        {...props.contextMenu}
      >
        {rows.map(({ index, start }) => {
          const item = items[index];
          const key = keys[index];
          const top = start - scrollMargin;
          if (item === undefined || key === undefined) {
            return <WaitingRow key={index} {...{ top, height }} error={moreError} onRetry={pages.retry} />;
          }
          return (
            <ListRow
              key={key}
              item={item}
              itemKey={key}
              index={index}
              top={top}
              height={height}
              columns={columns}
              folder={item.folder_id === null ? undefined : cabinet.folders.get(item.folder_id)}
              isSelected={selected.has(key)}
              isActive={key === activeKey}
              isStarred={stars.isStarred(item)}
              isByCreation={byCreation}
              actions={actions}
              onStar={stars.toggle}
              draggedWith={draggedWith}
            />
          );
        })}
      </Part>
    </Part>
  );
}

/** A custom property, which React's types don't know. */
const gridStyle = (columns: readonly ColumnId[]): Record<`--${string}`, string> => ({
  "--columns": templateOf(columns),
});
