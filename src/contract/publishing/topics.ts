import type { Topic } from "../model/topic.ts";
import { configRoute } from "./config.ts";
import { uploadRoute } from "./publish.ts";

export const topics: readonly Topic[] = [
  {
    name: "Publishing",
    description: "Uploads become immutable snapshots with permanent links; a name makes each further upload a version.",
    place: 10,
    routes: [uploadRoute, configRoute],
  },
];
