import type { QueryClient } from "@tanstack/react-query";
import { addFilterRoute, type ResponseOf, removeFilterRoute, renameFilterRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import type { ItemFilter } from "../api/filter.ts";
import { keys, queryOf } from "../api/first-queries.ts";
import { notifySuccess } from "../shared/notify.ts";

export type SavedFilter = ResponseOf<typeof addFilterRoute>;

/** Changes to a user's saved filters. Each throws like the API client. */
export function buildFilterCalls(queries: QueryClient, owner: string) {
  const refresh = () => queries.invalidateQueries({ queryKey: keys.filters(owner) });

  async function remove({ id, title, query }: SavedFilter): Promise<void> {
    await api.call(removeFilterRoute, { body: { id } });
    await refresh();
    notifySuccess(`Filter ${title} deleted`, async () => {
      await api.call(addFilterRoute, { body: { owner, title, query } });
      await refresh();
    });
  }

  return {
    async add(title: string, filter: ItemFilter): Promise<void> {
      const saved = await api.call(addFilterRoute, { body: { owner, title, query: queryOf(filter) } });
      await refresh();
      notifySuccess(`Filter ${title} saved`, async () => {
        await api.call(removeFilterRoute, { body: { id: saved.id } });
        await refresh();
      });
    },
    async rename(id: string, title: string): Promise<void> {
      await api.call(renameFilterRoute, { body: { id, title } });
      await refresh();
    },
    remove,
  };
}

export type FilterCalls = ReturnType<typeof buildFilterCalls>;
