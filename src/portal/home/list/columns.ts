import type { ItemFilter } from "../../api/filter.ts";
import styles from "./list.module.css";

type Sort = NonNullable<ItemFilter["sort"]>;

/** The sort orders with their labels and ARIA directions. */
export const SORTS: readonly { value: Sort; label: string; direction: "ascending" | "descending" }[] = [
  { value: "updated", label: "Updated, newest first", direction: "descending" },
  { value: "-updated", label: "Updated, oldest first", direction: "ascending" },
  { value: "created", label: "Created, newest first", direction: "descending" },
  { value: "-created", label: "Created, oldest first", direction: "ascending" },
  { value: "title", label: "Title, A to Z", direction: "ascending" },
  { value: "-title", label: "Title, Z to A", direction: "descending" },
  { value: "name", label: "Name, A to Z", direction: "ascending" },
  { value: "-name", label: "Name, Z to A", direction: "descending" },
];

export const sortOf = ({ sort }: ItemFilter): Sort => sort ?? "updated";

/** Returns the order after a click on a column header: reversed if already sorted by it. */
export const nextSort = (current: Sort, by: Sort): Sort =>
  current === by ? (SORTS.find(({ value }) => value === `-${by}`)?.value ?? by) : by;

interface Column {
  id: string;
  label: string;
  className: string | undefined;
  sort?: Sort;
}

/** The columns between the checkbox and the menu. */
export const columnsOf = (sort: Sort): readonly Column[] => [
  { id: "title", label: "Title", className: styles.columnTitle, sort: "title" },
  { id: "name", label: "Name", className: styles.columnName, sort: "name" },
  { id: "visibility", label: "Visibility", className: styles.columnVisibility },
  { id: "folder", label: "Folder", className: styles.columnFolder },
  { id: "tags", label: "Tags", className: styles.columnTags },
  { id: "versions", label: "Versions", className: styles.columnVersions },
  isByCreation(sort)
    ? { id: "time", label: "Created", className: styles.columnUpdated, sort: "created" }
    : { id: "time", label: "Updated", className: styles.columnUpdated, sort: "updated" },
];

export const isByCreation = (sort: Sort): boolean => sort === "created" || sort === "-created";
