import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { ItemFilter } from "../../api/filter.ts";
import { Hidden } from "../../shared/hidden.tsx";
import controls from "../item-controls.module.css";
import { Part } from "../part.tsx";
import { COLUMNS, type ColumnId, isByCreation, nextSort, SORTS, sortOf } from "./columns.ts";
import styles from "./list.module.css";

interface ListHeadProps {
  filter: ItemFilter;
  columns: readonly ColumnId[];
  onSort(sort: ItemFilter["sort"]): void;
  count: number;
  selectedCount: number;
  onSelectAll(): void;
  onClear(): void;
}

/** Column headers that sort the list. */
export function ListHead({ filter, columns, onSort, count, selectedCount, onSelectAll, onClear }: ListHeadProps) {
  const sort = sortOf(filter);
  const sortProps = { sort, isOwnOrder: filter.place !== undefined, onSort };
  return (
    <Part role="row" aria-rowindex={1} className={styles.head}>
      <Part role="columnheader" className={styles.check}>
        <SelectAll {...{ count, selectedCount, onSelectAll, onClear }} />
      </Part>
      <Sortable {...sortProps} by="title" label="Title" className={styles.title} />
      {columns.map((id) =>
        id === "time" ? (
          <Sortable
            key={id}
            {...sortProps}
            by={isByCreation(sort) ? "created" : "updated"}
            label={isByCreation(sort) ? "Created" : "Updated"}
            className={styles.time}
          />
        ) : (
          <Part key={id} role="columnheader" className={styles[id]}>
            <span className={styles.label}>{COLUMNS[id].label}</span>
          </Part>
        ),
      )}
      <Part role="columnheader">
        <Hidden>Star</Hidden>
      </Part>
      <Part role="columnheader">
        <Hidden>Actions</Hidden>
      </Part>
    </Part>
  );
}

type Sort = NonNullable<ItemFilter["sort"]>;

interface SortableProps {
  sort: Sort;
  by: "title" | "created" | "updated";
  label: string;
  /** Whether the order of the list is fixed. */
  isOwnOrder: boolean;
  className: string | undefined;
  onSort(sort: Sort): void;
}

function Sortable({ sort, by, label, isOwnOrder, className, onSort }: SortableProps) {
  const isBy = !isOwnOrder && sort.endsWith(by);
  const direction = isBy ? SORTS.find(({ value }) => value === sort)?.direction : undefined;
  const Arrow = direction === "ascending" ? IconArrowUp : IconArrowDown;
  return (
    <Part role="columnheader" aria-sort={direction} className={className}>
      {isOwnOrder ? (
        <span className={styles.label}>{label}</span>
      ) : (
        <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, by))}>
          {label}
          {isBy && <Arrow size={14} />}
        </button>
      )}
    </Part>
  );
}

type SelectAllProps = Pick<ListHeadProps, "count" | "selectedCount" | "onSelectAll" | "onClear">;

function SelectAll({ count, selectedCount, onSelectAll, onClear }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null);
  const isAll = count > 0 && selectedCount === count;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selectedCount > 0 && !isAll;
  }, [selectedCount, isAll]);
  return (
    <label className={`${controls.check} ${styles.box}`}>
      <input
        ref={box}
        type="checkbox"
        aria-label="Select all loaded reports"
        checked={isAll}
        onChange={selectedCount > 0 ? onClear : onSelectAll}
      />
    </label>
  );
}
