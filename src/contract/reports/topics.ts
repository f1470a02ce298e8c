import { deleteItemsRoute, restoreItemsRoute } from "../cabinet/items.ts";
import type { Topic } from "../model/topic.ts";
import { deleteCodeRoute } from "./delete-code.ts";
import { downloadFileRoute, itemRoute, itemVersionsRoute, previewsRoute, reportRoute } from "./details.ts";
import { deleteGroupRoute, groupRoute, renameRoute, setLatestRoute } from "./groups.ts";
import { listRoute } from "./lists.ts";
import { setVisibilityRoute } from "./visibility.ts";

export const topics: readonly Topic[] = [
  {
    name: "Finding",
    description: "What there is, and what the caller may read of it.",
    place: 20,
    routes: [listRoute, groupRoute, itemRoute, itemVersionsRoute],
  },
  {
    name: "Reading back",
    description: "Which files a version has, and their bytes.",
    place: 30,
    routes: [reportRoute, downloadFileRoute, previewsRoute],
  },
  {
    name: "Changing",
    description: "Names, which version is shown, who may read, and deleting.",
    place: 40,
    routes: [
      renameRoute,
      setLatestRoute,
      setVisibilityRoute,
      deleteCodeRoute,
      deleteGroupRoute,
      deleteItemsRoute,
      restoreItemsRoute,
    ],
  },
];
