import type { Cursors } from "../model/cursors.ts";
import { createIndexing } from "./indexing.ts";
import type { SearchPlace } from "./ports.ts";
import { createSearch } from "./search.ts";

type Dependencies = Omit<Parameters<typeof createSearch>[0], "cursors" | "updateIndexSoon"> & {
  createCursors: () => Cursors<SearchPlace>;
};

export function createService({ store, createCursors }: Dependencies) {
  const { updateSoon: updateIndexSoon, indexing } = createIndexing({ store });
  return { ...createSearch({ store, cursors: createCursors(), updateIndexSoon }), indexing };
}
