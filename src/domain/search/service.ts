import type { Cursors } from "../model/cursors.ts";
import { createIndexing } from "./indexing.ts";
import { createItemLists } from "./items.ts";
import type { SearchPlace } from "./ports.ts";
import { createSavedFilters } from "./saved-filters.ts";
import { createSearch } from "./search.ts";

type Dependencies = Omit<Parameters<typeof createSearch>[0], "cursors" | "updateIndexSoon"> &
  Parameters<typeof createItemLists>[0] &
  Parameters<typeof createSavedFilters>[0] & {
    createCursors: () => Cursors<SearchPlace>;
  };

export function createService(dependencies: Dependencies) {
  const { store, createCursors } = dependencies;
  const { updateSoon: updateIndexSoon, indexing } = createIndexing({ store });
  const savedFilters = createSavedFilters(dependencies);
  return {
    ...createSearch({ store, cursors: createCursors(), updateIndexSoon }),
    items: createItemLists({ store }),
    savedFilters,
    indexing,
  };
}
