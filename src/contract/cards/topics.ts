import type { Topic } from "../model/topic.ts";
import { oembedRoute } from "./cards.ts";

export const topics: readonly Topic[] = [
  {
    name: "Embedding",
    description: "How other sites show public reports.",
    place: 48,
    routes: [oembedRoute],
  },
];
