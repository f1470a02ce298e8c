import type { QueryClient } from "@tanstack/react-query";
import { deleteItemsRoute, restoreItemsRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { accountQuery } from "../api/first-queries.ts";
import { referenceOf } from "../api/references.ts";
import { describeCount } from "./amounts.ts";
import { notifySuccess } from "./notify.ts";

export interface Removal {
  owner: string;
  /** Names, or codes of unnamed reports. */
  references: readonly string[];
}

/** Deletes reports; returns how many, and a function that restores them. Throws like the API client. */
export async function deleteReports(queries: QueryClient, { owner, references }: Removal) {
  const refresh = () =>
    Promise.all([
      refreshAbout(queries, owner, ["items"]),
      // It says how much of the quota is used.
      queries.invalidateQueries({ queryKey: accountQuery().queryKey }),
    ]).catch(() => undefined);

  async function undo(id: string): Promise<void> {
    try {
      const { restored } = await api.call(restoreItemsRoute, { body: { undo: id } });
      notifySuccess(`${describeCount(restored, "report")} restored`);
    } finally {
      await refresh();
    }
  }

  try {
    const { deleted: count, undo: undoable } = await api.call(deleteItemsRoute, {
      body: { items: references.map(referenceOf) },
    });
    return { count, undo: undoable === null ? undefined : () => undo(undoable.id) };
  } finally {
    await refresh();
  }
}
