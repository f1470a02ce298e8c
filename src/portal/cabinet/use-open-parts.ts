import { useCallback, useMemo, useRef, useState } from "react";
import { readStoredList } from "../api/stored-list.ts";
import type { Contents, Section } from "./entries.ts";

const placeOf = (owner: string) => `vitrine-cabinet-${owner}`;
const CLOSED = "closed:";

const readOpenParts = (owner: string): ReadonlySet<string> =>
  new Set(readStoredList(placeOf(owner)).filter((key) => typeof key === "string"));

/** Returns which entries are expanded, as remembered by this browser. */
export function useOpenParts(owner: string, entries: Contents["entries"]) {
  const [marked, setMarked] = useState(() => readOpenParts(owner));
  const latest = useRef(marked);
  const mark = useCallback(
    (keys: readonly string[], isMarked: boolean) => {
      if (keys.every((key) => latest.current.has(key) === isMarked)) return;
      const after = new Set(latest.current);
      for (const key of keys) isMarked ? after.add(key) : after.delete(key);
      latest.current = after;
      setMarked(after);
      const known = [...after].filter((key) => key.startsWith(CLOSED) || entries.has(key));
      localStorage.setItem(placeOf(owner), JSON.stringify(known));
    },
    [owner, entries],
  );
  return useMemo(
    () => ({
      isOpen: (id: string) => marked.has(id),
      setOpen: mark,
      isSectionOpen: (section: Section) => !marked.has(CLOSED + section),
      setSectionOpen: (section: Section, isOpen: boolean) => mark([CLOSED + section], !isOpen),
    }),
    [marked, mark],
  );
}

export type OpenParts = ReturnType<typeof useOpenParts>;
