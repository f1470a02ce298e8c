import { useCallback, useMemo } from "react";
import { useShortcuts } from "../cabinet/use-shortcuts.ts";
import { type Item, keyOf } from "./slots.ts";

/** Returns which reports have a star, and a function that gives or takes it. */
export function useStars(owner: string) {
  const { isShortcut, add, remove } = useShortcuts(owner);
  const isStarred = useCallback((item: Item) => isShortcut(item.kind, keyOf(item)), [isShortcut]);
  const toggle = useCallback(
    (item: Item) => (isStarred(item) ? remove : add)(item.kind, keyOf(item), item.title),
    [isStarred, add, remove],
  );
  return useMemo(() => ({ isStarred, toggle }), [isStarred, toggle]);
}

export type Stars = ReturnType<typeof useStars>;
