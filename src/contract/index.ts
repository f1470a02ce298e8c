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

/** A section of the API documentation. */
interface Topic {
  name: string;
  description: string;
  routes: readonly Route[];
}

/** Every endpoint of the API, in the order in which the documentation shows them. */
export const topics: readonly Topic[] = [
  {
    name: "Publishing",
    description:
      "Each upload creates an immutable version with a permanent link. Uploads under the same name become versions of one report.",
    routes: [uploadRoute, configRoute],
  },
  {
    name: "Finding",
    description: "List, search and retrieve the reports that the caller can read.",
    routes: [listRoute, searchRoute, groupRoute, itemRoute, itemVersionsRoute],
  },
  {
    name: "Reading back",
    description: "List and download the files of a version.",
    routes: [reportRoute, downloadFileRoute, previewsRoute],
  },
  {
    name: "Changing",
    description: "Rename reports, choose their current version, change their visibility, and delete or restore them.",
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
    description: "File reports into folders and tag them, up to 200 per call.",
    routes: [fileItemsRoute, tagItemsRoute, setDefaultFolderRoute, setFolderRoute],
  },
  {
    name: "Cabinet",
    description: "Drawers, the folders in them, and the tag tree of a workspace.",
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
    description: "Drawers, folders, tags and reports that the caller keeps within reach.",
    routes: [shortcutsRoute, addShortcutRoute, removeShortcutRoute],
  },
  {
    name: "Organizations",
    description: "Workspaces shared by several people: members, roles and invitations.",
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
    description: "The signed-in user, their workspaces, and the limits that apply.",
    routes: [accountRoute, setDisplayNameRoute],
  },
  {
    name: "Access tokens and sessions",
    description: "Require a browser session: an access token cannot create or revoke access tokens.",
    routes: [tokensRoute, createTokenRoute, revokeTokenRoute, sessionsRoute, endSessionRoute, endOtherSessionsRoute],
  },
];

export const routes: readonly Route[] = topics.flatMap((topic) => topic.routes);
