import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { addShortcutRoute, removeShortcutRoute } from "../../client/routes.ts";
import { shortcutsQuery } from "../api/queries.ts";
import { useCall } from "../shared/use-call.ts";
import type { Entry } from "./entries.ts";

type Kind = Entry["kind"];

/** Returns the user's shortcuts in a workspace: drawers, folders and tags by id, reports by name or code. */
export function useShortcuts(owner: string) {
  const { data } = useQuery(shortcutsQuery(owner));
  const { mutate: send } = useCall(addShortcutRoute, {
    owner,
    about: ["shortcuts"],
    failure: "Couldn't add the shortcut",
  });
  const { mutate: sendRemoval } = useCall(removeShortcutRoute, {
    owner,
    about: ["shortcuts"],
    failure: "Couldn't remove the shortcut",
  });
  const known = useMemo(() => new Set(data?.shortcuts.map(({ kind, ref }) => `${kind} ${ref}`)), [data]);
  const isShortcut = useCallback((kind: Kind, ref: string) => known.has(`${kind} ${ref}`), [known]);
  const add = useCallback((kind: Kind, ref: string) => send({ owner, kind, ref }), [send, owner]);
  const remove = useCallback((kind: Kind, ref: string) => sendRemoval({ owner, kind, ref }), [sendRemoval, owner]);
  return useMemo(() => ({ isShortcut, add, remove }), [isShortcut, add, remove]);
}

export type Shortcuts = ReturnType<typeof useShortcuts>;
