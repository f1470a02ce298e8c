import type { Topic } from "../model/topic.ts";
import { createGuestLinkRoute, guestLinksRoute, revokeGuestLinkRoute, updateGuestLinkRoute } from "./guest-links.ts";
import { shareWithOrganizationRoute } from "./organization.ts";

export const topics: readonly Topic[] = [
  {
    name: "Sharing",
    description: "Choose who can read a report, and find what others share with you.",
    place: 42,
    routes: [
      shareWithOrganizationRoute,
      guestLinksRoute,
      createGuestLinkRoute,
      updateGuestLinkRoute,
      revokeGuestLinkRoute,
    ],
  },
];
