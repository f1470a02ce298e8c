import type { Topic } from "../model/topic.ts";
import { createGuestLinkRoute, guestLinksRoute, revokeGuestLinkRoute, updateGuestLinkRoute } from "./guest-links.ts";
import { shareItemsRoute } from "./items.ts";
import { shareWithOrganizationRoute } from "./organization.ts";
import { shareRoute, shareWithPeopleRoute } from "./people.ts";
import { acceptRequestRoute, accessRequestsRoute, declineRequestRoute, requestAccessRoute } from "./requests.ts";
import { sharedRoute } from "./shared.ts";

export const topics: readonly Topic[] = [
  {
    name: "Sharing",
    description: "Choose who can read a report, answer requests for access, and find what others share with you.",
    place: 42,
    routes: [
      sharedRoute,
      shareRoute,
      shareWithOrganizationRoute,
      shareWithPeopleRoute,
      shareItemsRoute,
      requestAccessRoute,
      accessRequestsRoute,
      acceptRequestRoute,
      declineRequestRoute,
      guestLinksRoute,
      createGuestLinkRoute,
      updateGuestLinkRoute,
      revokeGuestLinkRoute,
    ],
  },
];
