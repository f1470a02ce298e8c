import type { Topic } from "../model/topic.ts";
import { itemsRoute, largestItemsRoute } from "./items.ts";
import { addFilterRoute, removeFilterRoute, renameFilterRoute, savedFiltersRoute } from "./saved-filters.ts";
import { searchRoute } from "./search.ts";

export const topics: readonly Topic[] = [
  {
    name: "Search",
    description: "Find reports by words, folders, tags, authors and times, and save searches.",
    place: 25,
    routes: [
      searchRoute,
      itemsRoute,
      largestItemsRoute,
      savedFiltersRoute,
      addFilterRoute,
      renameFilterRoute,
      removeFilterRoute,
    ],
  },
];
