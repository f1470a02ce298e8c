import type { Topic } from "../model/topic.ts";
import { noteSeenRoute, seenRoute, setSeenByRoute } from "./seen.ts";

export const topics: readonly Topic[] = [
  {
    name: "Seen by",
    description: "How often reports were opened, and by whom. Off unless a workspace turns it on.",
    place: 47,
    routes: [seenRoute, setSeenByRoute, noteSeenRoute],
  },
];
