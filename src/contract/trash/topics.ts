import type { Topic } from "../model/topic.ts";
import { retentionRoute, setRetentionRoute } from "./retention.ts";
import { protectRoute, purgeTrashRoute, restoreTrashRoute, trashRoute } from "./trash.ts";

export const topics: readonly Topic[] = [
  {
    name: "Trash",
    description:
      "Deleted reports and versions stay in the trash until they expire. Protect reports from deletion, and set rules that delete old versions.",
    place: 45,
    routes: [trashRoute, restoreTrashRoute, purgeTrashRoute, protectRoute, retentionRoute, setRetentionRoute],
  },
];
