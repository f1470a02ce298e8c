import type { Topic } from "../model/topic.ts";
import { searchRoute } from "./search.ts";

export const topics: readonly Topic[] = [
  {
    name: "Search",
    description: "Find reports by words, folders and tags.",
    place: 25,
    routes: [searchRoute],
  },
];
