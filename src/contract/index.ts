import { accountRoute, setDisplayNameRoute } from "./account.ts";
import {
  createDrawerRoute,
  createFolderRoute,
  deleteDrawerRoute,
  deleteFolderRoute,
  moveFolderRoute,
  renameDrawerRoute,
  renameFolderRoute,
  setDefaultFolderRoute,
  taxonomyRoute,
} from "./cabinet.ts";
import { configRoute } from "./config.ts";
import { downloadFileRoute, itemRoute, itemVersionsRoute, previewsRoute, reportRoute } from "./details.ts";
import { setFolderRoute } from "./filing.ts";
import { deleteGroupRoute, groupRoute, renameRoute, setLatestRoute } from "./groups.ts";
import {
  acceptInvitationRoute,
  createInvitationRoute,
  invitationsRoute,
  revokeInvitationRoute,
} from "./invitations.ts";
import { fileItemsRoute, tagItemsRoute } from "./items.ts";
import { listRoute } from "./lists.ts";
import { addMemberRoute, membersRoute, removeMemberRoute, setRoleRoute } from "./members.ts";
import { createOrganizationRoute } from "./organizations.ts";
import { uploadRoute } from "./publish.ts";
import { deleteCodeRoute } from "./reports.ts";
import type { Route } from "./route.ts";
import { searchRoute } from "./search.ts";
import { endOtherSessionsRoute, endSessionRoute, sessionsRoute } from "./sessions.ts";
import { addShortcutRoute, removeShortcutRoute, shortcutsRoute } from "./shortcuts.ts";
import { createTagRoute, deleteTagRoute, moveTagRoute, renameTagRoute } from "./tags.ts";
import { createTokenRoute, revokeTokenRoute, tokensRoute } from "./tokens.ts";
import { setVisibilityRoute } from "./visibility.ts";

/** Every endpoint of the API, in the order in which the documentation shows them. */
export const routes: readonly Route[] = [
  uploadRoute,
  listRoute,
  searchRoute,
  groupRoute,
  itemRoute,
  itemVersionsRoute,
  reportRoute,
  downloadFileRoute,
  previewsRoute,
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
  taxonomyRoute,
  createDrawerRoute,
  renameDrawerRoute,
  deleteDrawerRoute,
  createFolderRoute,
  renameFolderRoute,
  moveFolderRoute,
  deleteFolderRoute,
  createTagRoute,
  renameTagRoute,
  moveTagRoute,
  deleteTagRoute,
  fileItemsRoute,
  tagItemsRoute,
  setDefaultFolderRoute,
  shortcutsRoute,
  addShortcutRoute,
  removeShortcutRoute,
  accountRoute,
  setDisplayNameRoute,
  tokensRoute,
  createTokenRoute,
  revokeTokenRoute,
  sessionsRoute,
  endSessionRoute,
  endOtherSessionsRoute,
  configRoute,
];
