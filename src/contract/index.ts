import * as capabilities from "./capabilities.ts";
import type { Route } from "./model/route.ts";
import type { Topic } from "./model/topic.ts";

/** Every endpoint of the API, in the order in which the documentation shows them. */
export const topics: readonly Topic[] = Object.values(capabilities)
  .flatMap((capability) => capability.topics)
  .sort((one, other) => one.place - other.place);

export const routes: readonly Route[] = topics.flatMap((topic) => topic.routes);
