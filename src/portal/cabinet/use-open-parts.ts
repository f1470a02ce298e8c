import { useCallback, useMemo, useRef, useState } from "react";
import type { Contents, Section } from "./entries.ts";

const placeOf = (owner: string) => `vitrine-cabinet-${owner}`;
const CLOSED = "closed:";

function readOpenParts(owner: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(placeOf(owner)) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((key) => typeof key === "string") : []);
  } catch {
    return new Set();
  }
}

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
