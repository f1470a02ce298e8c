import { VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { ItemFilter } from "../../api/filter.ts";
import controls from "../item-controls.module.css";
import { Part } from "../part.tsx";
import { columnsOf, nextSort, SORTS, sortOf } from "./columns.ts";
import styles from "./list.module.css";

interface ListHeadProps {
  filter: ItemFilter;
  onSort(sort: ItemFilter["sort"]): void;
  count: number;
  selectedCount: number;
  onSelectAll(): void;
  onClear(): void;
}

/** Column headers that sort the list. */
export function ListHead({ filter, onSort, count, selectedCount, onSelectAll, onClear }: ListHeadProps) {
  const sort = sortOf(filter);
  const direction = SORTS.find(({ value }) => value === sort)?.direction;
  return (
    <Part role="row" aria-rowindex={1} className={styles.head}>
      <Part role="columnheader" className={styles.columnCheck}>
        <SelectAll {...{ count, selectedCount, onSelectAll, onClear }} />
      </Part>
      {columnsOf(sort).map(({ id, label, className, sort: by }) => {
        const isBy = by !== undefined && sort.endsWith(by);
        return (
          <Part key={id} role="columnheader" aria-sort={isBy ? direction : undefined} className={className}>
            {by === undefined ? (
              <span className={styles.label}>{label}</span>
            ) : (
              <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, by))}>
                {label}
                {isBy && (direction === "ascending" ? <IconArrowUp size={14} /> : <IconArrowDown size={14} />)}
              </button>
            )}
          </Part>
        );
      })}
      <Part role="columnheader" className={styles.columnMenu}>
        <VisuallyHidden>Actions</VisuallyHidden>
      </Part>
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
    <label className={`${controls.check} ${styles.check}`}>
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
