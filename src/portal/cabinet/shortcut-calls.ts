import type { QueryClient } from "@tanstack/react-query";
import { addShortcutRoute, removeShortcutRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { shortcutsQuery } from "../api/first-queries.ts";
import type { Shortcut } from "./entries.ts";

/** Adds or removes a shortcut, which the page shows at once. Throws like the API client. */
export async function setShortcut(queries: QueryClient, owner: string, shortcut: Shortcut, isWanted: boolean) {
  const { kind, ref } = shortcut;
  const { queryKey } = shortcutsQuery(owner);
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, (before) => {
    if (before === undefined) return undefined;
    const others = before.shortcuts.filter((other) => other.kind !== kind || other.ref !== ref);
    return { ...before, shortcuts: isWanted ? [...others, shortcut] : others };
  });
  try {
    await api.call(isWanted ? addShortcutRoute : removeShortcutRoute, { body: { owner, kind, ref } });
  } finally {
    await refreshAbout(queries, owner, ["shortcuts"]).catch(() => undefined);
  }
}
