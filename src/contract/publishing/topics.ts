import type { Topic } from "../model/topic.ts";
import { configRoute } from "./config.ts";
import { uploadRoute } from "./publish.ts";
import { addSamplesRoute, removeSamplesRoute, samplesRoute } from "./samples.ts";

export const topics: readonly Topic[] = [
  {
    name: "Publishing",
    description:
      "Each upload creates an immutable version with a permanent link. Uploads under the same name become versions of one report.",
    place: 10,
    routes: [uploadRoute, configRoute, samplesRoute, addSamplesRoute, removeSamplesRoute],
  },
];
