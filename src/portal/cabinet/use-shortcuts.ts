import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { shortcutsQuery } from "../api/first-queries.ts";
import { loadPart } from "../shared/missing-part.ts";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import type { Entry, Shortcut } from "./entries.ts";

type Kind = Entry["kind"];

/** Returns whether a shortcut leads to a report; people know it as a star. */
export const isStar = ({ kind }: { kind: Kind }): boolean => kind === "group" || kind === "report";

/** Returns what a menu calls adding or removing a shortcut. */
export const shortcutLabel = (kind: Kind, isThere: boolean): string =>
  `${isThere ? "Remove from" : "Add to"} ${isStar({ kind }) ? "starred" : "shortcuts"}`;

/** Returns the user's shortcuts in a workspace: drawers, folders and tags by id, reports by name or code. */
export function useShortcuts(owner: string) {
  const queries = useQueryClient();
  const { data } = useQuery(shortcutsQuery(owner));
  const known = useMemo(() => new Set(data?.shortcuts.map(({ kind, ref }) => `${kind} ${ref}`)), [data]);
  const isShortcut = useCallback((kind: Kind, ref: string) => known.has(`${kind} ${ref}`), [known]);
  const set = useCallback(
    async (shortcut: Shortcut, isWanted: boolean) => {
      const place = isStar(shortcut) ? "starred" : "shortcuts";
      const send = async (wanted: boolean) => {
        const { setShortcut } = await loadPart(import("./shortcut-calls.ts"));
        await setShortcut(queries, owner, shortcut, wanted);
      };
      try {
        await send(isWanted);
        notifySuccess(isWanted ? `Added to ${place}` : `Removed from ${place}`, () => send(!isWanted));
      } catch (error) {
        notifyError(isWanted ? `Couldn't add it to ${place}` : `Couldn't remove it from ${place}`, error);
      }
    },
    [queries, owner],
  );
  const add = useCallback((kind: Kind, ref: string, title = ref) => void set({ kind, ref, title }, true), [set]);
  const remove = useCallback((kind: Kind, ref: string, title = ref) => void set({ kind, ref, title }, false), [set]);
  return useMemo(() => ({ isShortcut, add, remove }), [isShortcut, add, remove]);
}

export type Shortcuts = ReturnType<typeof useShortcuts>;
