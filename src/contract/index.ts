import { configRoute } from "./config.ts";
import { setFolderRoute } from "./filing.ts";
import { deleteGroupRoute, groupRoute, renameRoute, setLatestRoute } from "./groups.ts";
import {
  acceptInvitationRoute,
  createInvitationRoute,
  invitationsRoute,
  revokeInvitationRoute,
} from "./invitations.ts";
import { listRoute } from "./lists.ts";
import { addMemberRoute, membersRoute, removeMemberRoute, setRoleRoute } from "./members.ts";
import { createOrganizationRoute } from "./organizations.ts";
import { uploadRoute } from "./publish.ts";
import { deleteCodeRoute } from "./reports.ts";
import type { Route } from "./route.ts";
import { searchRoute } from "./search.ts";
import { setVisibilityRoute } from "./visibility.ts";

/** Every endpoint of the API, in the order in which the documentation shows them. */
export const routes: readonly Route[] = [
  uploadRoute,
  listRoute,
  searchRoute,
  groupRoute,
  renameRoute,
  setLatestRoute,
  setVisibilityRoute,
  setFolderRoute,
  deleteCodeRoute,
  deleteGroupRoute,
  createOrganizationRoute,
  membersRoute,
  addMemberRoute,
  removeMemberRoute,
  setRoleRoute,
  invitationsRoute,
  createInvitationRoute,
  revokeInvitationRoute,
  acceptInvitationRoute,
  configRoute,
];
