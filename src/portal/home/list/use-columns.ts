import { useCallback, useMemo, useSyncExternalStore } from "react";
import { COLUMN_IDS, type ColumnId } from "./columns.ts";

const KEY = "vitrine-hidden-columns";
const CHANGED = "vitrine-columns";

const readHidden = (): string => localStorage.getItem(KEY) ?? "";

function follow(onChange: () => void): () => void {
  addEventListener(CHANGED, onChange);
  addEventListener("storage", onChange);
  return () => {
    removeEventListener(CHANGED, onChange);
    removeEventListener("storage", onChange);
  };
}

/** Returns the columns chosen in this browser, and a function that shows or hides one. */
export function useColumns(isOrganization: boolean) {
  const hidden = useSyncExternalStore(follow, readHidden);
  // The same arrays as long as they have the same columns, because each row of the list depends on them.
  const columns = useMemo(() => {
    const available = isOrganization ? COLUMN_IDS : COLUMN_IDS.filter((id) => id !== "author");
    const left = hidden.split(" ");
    return { available, chosen: available.filter((id) => !left.includes(id)) };
  }, [hidden, isOrganization]);
  const toggle = useCallback((id: ColumnId) => {
    const before = new Set(readHidden().split(" ").filter(Boolean));
    if (!before.delete(id)) before.add(id);
    localStorage.setItem(KEY, [...before].join(" "));
    dispatchEvent(new Event(CHANGED));
  }, []);
  return { ...columns, toggle };
}
