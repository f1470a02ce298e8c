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
import { setDefaultVisibilityRoute } from "./workspace-settings.ts";

export const topics: readonly Topic[] = [
  {
    name: "Organizations",
    description: "Workspaces shared by several people: members, roles, invitations and settings.",
    place: 80,
    routes: [
      createOrganizationRoute,
      membersRoute,
      addMemberRoute,
      removeMemberRoute,
      setRoleRoute,
      setDefaultVisibilityRoute,
      invitationsRoute,
      createInvitationRoute,
      revokeInvitationRoute,
      acceptInvitationRoute,
    ],
  },
  {
    name: "Account",
    description: "The signed-in user, their workspaces, and the limits that apply.",
    place: 90,
    routes: [accountRoute, setDisplayNameRoute],
  },
  {
    name: "Sessions",
    description: "The browsers where the user is signed in. Requires a browser session.",
    place: 110,
    routes: [sessionsRoute, endSessionRoute, endOtherSessionsRoute],
  },
];
