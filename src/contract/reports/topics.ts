import { deleteItemsRoute, restoreItemsRoute } from "../cabinet/items.ts";
import type { Topic } from "../model/topic.ts";
import { deleteCodeRoute } from "./delete-code.ts";
import { downloadFileRoute, itemRoute, itemVersionsRoute, previewsRoute, reportRoute } from "./details.ts";
import { listRoute } from "./lists.ts";
import { deleteGroupRoute, groupRoute, renameRoute, setLatestRoute } from "./named-reports.ts";
import { setStorageRoute, setTitleRoute } from "./settings.ts";
import { setVisibilityRoute } from "./visibility.ts";

export const topics: readonly Topic[] = [
  {
    name: "Finding",
    description: "List and retrieve the reports that the caller can read.",
    place: 20,
    routes: [listRoute, groupRoute, itemRoute, itemVersionsRoute],
  },
  {
    name: "Reading back",
    description: "List and download the files of a version.",
    place: 30,
    routes: [reportRoute, downloadFileRoute, previewsRoute],
  },
  {
    name: "Changing",
    description:
      "Rename reports, give them titles, choose their current version, change their visibility and storage, and delete or restore them.",
    place: 40,
    routes: [
      renameRoute,
      setTitleRoute,
      setLatestRoute,
      setVisibilityRoute,
      setStorageRoute,
      deleteCodeRoute,
      deleteGroupRoute,
      deleteItemsRoute,
      restoreItemsRoute,
    ],
  },
];
