import type { Topic } from "../model/topic.ts";
import { setThumbnailRoute, thumbnailRoute } from "./thumbnails.ts";

export const topics: readonly Topic[] = [
  {
    name: "Thumbnails",
    description: "Pictures of versions, which lists show. They are not part of what was published.",
    place: 45,
    routes: [thumbnailRoute, setThumbnailRoute],
  },
];
