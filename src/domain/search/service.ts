import type { Cursors } from "../model/cursors.ts";
import type { SearchPlace } from "./ports.ts";
import { createSearch } from "./search.ts";

type Dependencies = Omit<Parameters<typeof createSearch>[0], "cursors"> & {
  createCursors: () => Cursors<SearchPlace>;
};

export const createService = ({ store, createCursors }: Dependencies) =>
  createSearch({ store, cursors: createCursors() });
