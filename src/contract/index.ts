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
} from "./cabinet/cabinet.ts";
import { setFolderRoute } from "./cabinet/filing.ts";
import { deleteItemsRoute, fileItemsRoute, restoreItemsRoute, tagItemsRoute } from "./cabinet/items.ts";
import { addShortcutRoute, removeShortcutRoute, shortcutsRoute } from "./cabinet/shortcuts.ts";
import { createTagRoute, deleteTagRoute, moveTagRoute, renameTagRoute } from "./cabinet/tags.ts";
import type { Route } from "./model/route.ts";
import { accountRoute, setDisplayNameRoute } from "./people/account.ts";
import {
  acceptInvitationRoute,
  createInvitationRoute,
  invitationsRoute,
  revokeInvitationRoute,
} from "./people/invitations.ts";
import { addMemberRoute, membersRoute, removeMemberRoute, setRoleRoute } from "./people/members.ts";
import { createOrganizationRoute } from "./people/organizations.ts";
import { endOtherSessionsRoute, endSessionRoute, sessionsRoute } from "./people/sessions.ts";
import { configRoute } from "./publishing/config.ts";
import { uploadRoute } from "./publishing/publish.ts";
import { deleteCodeRoute } from "./reports/delete-code.ts";
import { downloadFileRoute, itemRoute, itemVersionsRoute, previewsRoute, reportRoute } from "./reports/details.ts";
import { deleteGroupRoute, groupRoute, renameRoute, setLatestRoute } from "./reports/groups.ts";
import { listRoute } from "./reports/lists.ts";
import { setVisibilityRoute } from "./reports/visibility.ts";
import { searchRoute } from "./search/search.ts";
import { createTokenRoute, revokeTokenRoute, tokensRoute } from "./tokens/tokens.ts";

/** Endpoints that belong together. */
interface Topic {
  name: string;
  description: string;
  routes: readonly Route[];
}

/** Every endpoint of the API, in the order in which the documentation shows them. */
export const topics: readonly Topic[] = [
  {
    name: "Publishing",
    description: "Uploads become immutable snapshots with permanent links; a name makes each further upload a version.",
    routes: [uploadRoute, configRoute],
  },
  {
    name: "Finding",
    description: "What there is, and what the caller may read of it.",
    routes: [listRoute, searchRoute, groupRoute, itemRoute, itemVersionsRoute],
  },
  {
    name: "Reading back",
    description: "Which files a version has, and their bytes.",
    routes: [reportRoute, downloadFileRoute, previewsRoute],
  },
  {
    name: "Changing",
    description: "Names, which version is shown, who may read, and deleting.",
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
  {
    name: "Filing and tagging",
    description: "Puts groups and standalone reports into folders and gives them tags, many at once.",
    routes: [fileItemsRoute, tagItemsRoute, setDefaultFolderRoute, setFolderRoute],
  },
  {
    name: "Cabinet",
    description: "A workspace's drawers, the folders in them, and its tree of tags.",
    routes: [
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
    ],
  },
  {
    name: "Shortcuts",
    description: "What the caller keeps at hand in a workspace.",
    routes: [shortcutsRoute, addShortcutRoute, removeShortcutRoute],
  },
  {
    name: "Organizations",
    description: "Workspaces of several people: who belongs to them, and how others join.",
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
    routes: [accountRoute, setDisplayNameRoute],
  },
  {
    name: "Tokens and sessions",
    description: "For people who are signed in with a browser; tokens cannot make or revoke tokens.",
    routes: [tokensRoute, createTokenRoute, revokeTokenRoute, sessionsRoute, endSessionRoute, endOtherSessionsRoute],
  },
];

export const routes: readonly Route[] = topics.flatMap((topic) => topic.routes);
