import { memo, type ReactNode, useRef } from "react";
import { describeNumber } from "../../shared/amounts.ts";
import { Time } from "../../shared/time.tsx";
import { VisibilityMark } from "../../shared/visibility.tsx";
import { MenuButton, SelectBox, TitleLink } from "../item-controls.tsx";
import { Part } from "../part.tsx";
import type { SelectionActions } from "../selection/use-selection.ts";
import type { Item } from "../slots.ts";
import { useDraggable } from "../use-draggable.ts";
import styles from "./list.module.css";

/** Characters of tags that fit a row; the rest is counted. */
const TAGS_LENGTH = 16;

export interface RowProps {
  item: Item;
  itemKey: string;
  index: number;
  /** Offset from the top of the list, in pixels. */
  top: number;
  height: number;
  folder: string | undefined;
  isSelected: boolean;
  isActive: boolean;
  /** Whether to show the creation time. */
  isByCreation: boolean;
  actions: SelectionActions;
  /** Returns what is dragged with this row: itself or the whole selection. */
  draggedWith(key: string): readonly Item[];
}

/** A report in the list. */
export const ListRow = memo(function ListRow(props: RowProps) {
  const { item, itemKey, index, top, height, folder, isSelected, isActive, isByCreation, actions, draggedWith } = props;
  const row = useRef<HTMLDivElement>(null);
  useDraggable(row, itemKey, draggedWith);
  return (
    <Part
      ref={row}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-key={itemKey}
      tabIndex={isActive ? 0 : -1}
      className={styles.row}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <Cell className={styles.columnCheck}>
        <SelectBox {...{ item, itemKey, isSelected, actions }} className={styles.check} />
      </Cell>
      <Cell className={`${styles.cell} ${styles.columnTitle}`}>
        <TitleLink item={item} itemKey={itemKey} />
      </Cell>
      <Cell className={`${styles.cell} ${styles.name} ${styles.columnName}`}>{item.name}</Cell>
      <Cell className={`${styles.cell} ${styles.columnVisibility}`}>
        <span className={styles.visibility}>
          <VisibilityMark item={item} />
        </span>
      </Cell>
      <Cell className={`${styles.cell} ${styles.columnFolder}`}>
        <span title={folder}>{folder}</span>
      </Cell>
      <Cell className={`${styles.cell} ${styles.columnTags}`}>
        <Tags tags={item.tags} />
      </Cell>
      <Cell className={`${styles.cell} ${styles.number} ${styles.columnVersions}`}>
        {describeNumber(item.version_count)}
      </Cell>
      <Cell className={`${styles.cell} ${styles.columnUpdated}`}>
        <Time at={isByCreation ? item.created_at : item.updated_at} />
      </Cell>
      <Cell className={styles.columnMenu}>
        <MenuButton item={item} className={styles.menu} />
      </Cell>
    </Part>
  );
});

const Cell = ({ className, children }: { className: string | undefined; children?: ReactNode }) => (
  <Part role="gridcell" className={className}>
    {children}
  </Part>
);

function Tags({ tags }: Pick<Item, "tags">) {
  if (tags.length === 0) return null;
  const count = countFitting(tags.map(({ title }) => title.length));
  return (
    <span className={styles.tags} title={tags.map(({ title }) => title).join(", ")}>
      {tags.slice(0, count).map(({ id, title }) => (
        <span key={id} className={styles.tag}>
          {title}
        </span>
      ))}
      {tags.length > count && <span className={styles.more}>+{tags.length - count}</span>}
    </span>
  );
}

/** Returns at least 1; a tag that is too long is truncated. */
function countFitting(lengths: readonly number[]): number {
  let total = 0;
  let count = 0;
  for (const length of lengths) {
    total += length;
    if (total > TAGS_LENGTH) break;
    count++;
  }
  return Math.max(count, 1);
}
