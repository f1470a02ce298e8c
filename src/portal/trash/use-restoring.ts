import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteCodeRoute, deleteItemsRoute, restoreTrashRoute, type TrashEntryView } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { describeCount } from "../shared/amounts.ts";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { nameOf } from "./entries.ts";

/** Returns a function that restores entries, all or none, and offers to undo it; it resolves to whether it worked. */
export function useRestoring(owner: string) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const refresh = () => refreshAbout(queries, owner, ["items"]);

  async function deleteAgain(entries: readonly TrashEntryView[]): Promise<void> {
    try {
      const reports = entries.filter(({ kind }) => kind === "report");
      const items = reports.map(({ code }) => ({ code }));
      if (items.length > 0) await api.call(deleteItemsRoute, { body: { items } });
      for (const { kind, code } of entries) if (kind === "version") await api.call(deleteCodeRoute, { body: { code } });
    } finally {
      await refresh();
    }
  }

  async function restore(entries: readonly TrashEntryView[]): Promise<boolean> {
    if (isBusy) return false;
    setBusy(true);
    try {
      await api.call(restoreTrashRoute, { body: { ids: entries.map(({ id }) => id) } });
      await refresh();
      notifySuccess(describeRestored(entries), () => deleteAgain(entries));
      return true;
    } catch (error) {
      notifyError("Couldn't restore", error);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { restore, isBusy };
}

function describeRestored(entries: readonly TrashEntryView[]): string {
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) return `${describeCount(entries.length, "entry", "entries")} restored`;
  const name = nameOf(entry);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} restored`;
}
