import {
  addFilterRoute,
  removeFilterRoute,
  renameFilterRoute,
  type SavedFilterEntry,
  savedFiltersRoute,
} from "../../../contract/search/saved-filters.ts";
import type { SavedFilter } from "../../../domain/search/ports.ts";
import type { SavedFilters } from "../../../domain/search/saved-filters.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export function mountSavedFilters(mount: Mount, filters: SavedFilters): void {
  mount.guarded(savedFiltersRoute, async (caller, { owner }) => ({
    owner,
    filters: (await filters.list(caller, owner)).map(toEntry),
  }));

  mount.guarded(addFilterRoute, async (caller, { owner, title, query }) =>
    toEntry(await filters.add(caller, owner, { title, query })),
  );

  mount.guarded(renameFilterRoute, async (caller, { id, title }) => {
    await filters.rename(caller, id, title);
    return { ok: true, id, title };
  });

  mount.guarded(removeFilterRoute, async (caller, { id }) => ({ ok: true, removed: await filters.remove(caller, id) }));
}

const toEntry = ({ id, title, query, createdAt }: SavedFilter): SavedFilterEntry => ({
  id,
  title,
  query,
  created_at: toIso(createdAt),
});
