import type { Topic } from "../model/topic.ts";
import { accountRoute, setDisplayNameRoute } from "./account.ts";
import {
  acceptInvitationRoute,
  createInvitationRoute,
  invitationsRoute,
  revokeInvitationRoute,
} from "./invitations.ts";
import { addMemberRoute, membersRoute, removeMemberRoute, setRoleRoute } from "./members.ts";
import { createOrganizationRoute } from "./organizations.ts";
import { endOtherSessionsRoute, endSessionRoute, sessionsRoute } from "./sessions.ts";

export const topics: readonly Topic[] = [
  {
    name: "Organizations",
    description: "Workspaces of several people: who belongs to them, and how others join.",
    place: 80,
    routes: [
      createOrganizationRoute,
      membersRoute,
      addMemberRoute,
      removeMemberRoute,
      setRoleRoute,
      invitationsRoute,
      createInvitationRoute,
      revokeInvitationRoute,
      acceptInvitationRoute,
    ],
  },
  {
    name: "Account",
    description: "Who is asking, and what the workspaces may hold.",
    place: 90,
    routes: [accountRoute, setDisplayNameRoute],
  },
  {
    name: "Sessions",
    description: "Where you are signed in with a browser. Requires a browser session.",
    place: 110,
    routes: [sessionsRoute, endSessionRoute, endOtherSessionsRoute],
  },
];
