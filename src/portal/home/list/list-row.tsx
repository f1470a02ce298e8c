import { memo, type ReactNode, useRef } from "react";
import { describeNumber } from "../../shared/amounts.ts";
import { Initials } from "../../shared/initials.tsx";
import { Time } from "../../shared/time.tsx";
import { Audience } from "../audience.tsx";
import { MenuButton, SelectBox, StarButton, TitleLink } from "../item-controls.tsx";
import { Part } from "../part.tsx";
import type { SelectionActions } from "../selection/use-selection.ts";
import type { Item } from "../slots.ts";
import { useDraggable } from "../use-draggable.ts";
import { COLUMNS, type ColumnId } from "./columns.ts";
import styles from "./list.module.css";
import { Tags } from "./tags.tsx";

export interface RowProps {
  item: Item;
  itemKey: string;
  index: number;
  /** Offset from the top of the list, in pixels. */
  top: number;
  height: number;
  columns: readonly ColumnId[];
  folder: string | undefined;
  isSelected: boolean;
  isActive: boolean;
  isStarred: boolean;
  /** Whether to show the creation time. */
  isByCreation: boolean;
  actions: SelectionActions;
  onStar(item: Item): void;
  /** Returns what is dragged with this row: itself or the whole selection. */
  draggedWith(key: string): readonly Item[];
}

/** A report in the list. */
export const ListRow = memo(function ListRow(props: RowProps) {
  const { item, itemKey, index, top, height, columns, isSelected, isActive, isStarred, actions, onStar } = props;
  const row = useRef<HTMLDivElement>(null);
  useDraggable(row, itemKey, props.draggedWith);
  return (
    <Part
      ref={row}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-key={itemKey}
      tabIndex={isActive ? 0 : -1}
      className={styles.row}
      style={{ top, height }}
    >
      <Cell className={styles.check}>
        <SelectBox {...{ item, itemKey, isSelected, actions }} className={styles.box} />
      </Cell>
      <Cell className={styles.title}>
        <TitleLink item={item} itemKey={itemKey} />
        {item.name !== undefined && <span className={styles.name}>{item.name}</span>}
      </Cell>
      {columns.map((id) => (
        <Cell key={id} className={`${styles.cell} ${styles[id]}`}>
          {contents[id](props)}
        </Cell>
      ))}
      <Cell className={styles.starCell}>
        <StarButton item={item} isStarred={isStarred} onToggle={() => onStar(item)} className={styles.star} />
      </Cell>
      <Cell className={styles.menuCell}>
        <MenuButton item={item} className={styles.menu} />
      </Cell>
    </Part>
  );
});

const contents: Readonly<Record<ColumnId, (props: RowProps) => ReactNode>> = {
  tags: ({ item }) => <Tags tags={item.tags} width={COLUMNS.tags.width} />,
  folder: ({ folder }) => <span title={folder}>{folder}</span>,
  author: ({ item: { creator } }) => creator !== null && <Author {...creator} />,
  audience: ({ item }) => <Audience item={item} />,
  versions: ({ item }) => describeNumber(item.version_count),
  time: ({ item, isByCreation }) => <Time at={isByCreation ? item.created_at : item.updated_at} />,
};

function Author({ slug, display_name }: NonNullable<Item["creator"]>) {
  const name = display_name ?? slug;
  return (
    <span role="img" aria-label={name} title={name} className={styles.initials}>
      <Initials name={name} size={24} />
    </span>
  );
}

const Cell = ({ className, children }: { className: string | undefined; children?: ReactNode }) => (
  <Part role="gridcell" className={className}>
    {children}
  </Part>
);
