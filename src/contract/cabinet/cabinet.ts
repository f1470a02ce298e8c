import * as z from "zod";
import { cabinetTitle, itemCount, nothing, requestedOwner } from "../model/common.ts";
import {
  cabinetEntryTitle,
  defaultFolderId,
  drawerId,
  folderId,
  requestedDrawerId,
  requestedFolderId,
  workspaceSlug,
} from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { tag } from "./tags.ts";

const noSuchWorkspace = "The workspace does not exist, or the caller is not a member.";
const noSuchDrawer = "The drawer does not exist, or the caller is not a member of its workspace.";
const noSuchFolder = "The folder does not exist, or the caller is not a member of its workspace.";

const drawer = z
  .object({ id: drawerId, title: cabinetEntryTitle, item_count: itemCount })
  .meta({ id: "Drawer", examples: [{ id: "drw_5bTn0QyLk2XeV8sA", title: "Sales", item_count: 12 }] });

const folder = z
  .object({
    id: folderId,
    title: cabinetEntryTitle,
    drawer_id: drawerId.nullable().meta({ description: "The drawer's ID. Null if the folder is at the root." }),
    item_count: itemCount,
  })
  .meta({
    id: "Folder",
    examples: [{ id: "fld_Q3ZzD1mB0kXa7TgH", title: "2026", drawer_id: "drw_5bTn0QyLk2XeV8sA", item_count: 4 }],
  });

export const taxonomyRoute = defineRoute({
  method: "GET",
  path: "/api/taxonomy",
  id: "taxonomy",
  summary: "List drawers, folders and tags",
  description:
    "Returns the drawers, folders and tags of a workspace, sorted by title, with report counts. A drawer counts the reports in its folders. In `item_count`, a tag counts the reports that have that tag, and in `subtree_count` also those that have a descendant of it.",
  scope: "reports:read",
  query: z.object({ owner: requestedOwner }),
  body: nothing,
  isRevalidated: true,
  response: z
    .object({
      owner: workspaceSlug,
      drawers: z.array(drawer).meta({ description: "The drawers, sorted by title." }),
      folders: z.array(folder).meta({ description: "The folders, sorted by title, including those at the root." }),
      tags: z.array(tag).meta({ description: "The tags, sorted by title. `parent_id` makes them a tree." }),
      default_folder_id: defaultFolderId,
      item_count: itemCount,
      unfiled_count: itemCount,
      untagged_count: itemCount,
    })
    .meta({ id: "Taxonomy" }),
  failures: { 404: noSuchWorkspace },
});

export const createDrawerRoute = defineRoute({
  method: "POST",
  path: "/api/drawers/create",
  id: "createDrawer",
  summary: "Create a drawer",
  description: "Creates a drawer, which holds folders.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: requestedOwner, title: cabinetTitle })
    .meta({ id: "CreateDrawer", examples: [{ owner: "ada", title: "Sales" }] }),
  response: drawer,
  failures: { 404: noSuchWorkspace },
});

export const renameDrawerRoute = defineRoute({
  method: "POST",
  path: "/api/drawers/rename",
  id: "renameDrawer",
  summary: "Rename a drawer",
  description: "Changes the drawer's title. The labels of its folders change too.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: requestedDrawerId, title: cabinetTitle })
    .meta({ id: "RenameDrawer", examples: [{ id: "drw_5bTn0QyLk2XeV8sA", title: "Revenue" }] }),
  response: z.object({ ok: z.literal(true), id: drawerId, title: cabinetEntryTitle }),
  failures: { 404: noSuchDrawer },
});

export const deleteDrawerRoute = defineRoute({
  method: "POST",
  path: "/api/drawers/delete",
  id: "deleteDrawer",
  summary: "Delete a drawer",
  description: "Deletes the drawer. Its folders move to the root and keep their reports.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedDrawerId }).meta({ id: "DeleteDrawer", examples: [{ id: "drw_5bTn0QyLk2XeV8sA" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: noSuchDrawer },
});

export const createFolderRoute = defineRoute({
  method: "POST",
  path: "/api/folders/create",
  id: "createFolder",
  summary: "Create a folder",
  description: "Creates a folder in a drawer or at the root.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      owner: requestedOwner,
      title: cabinetTitle,
      drawer_id: requestedDrawerId
        .nullish()
        .meta({ description: "The ID of the drawer to create the folder in. Defaults to the root." }),
    })
    .meta({ id: "CreateFolder", examples: [{ owner: "ada", title: "2026", drawer_id: "drw_5bTn0QyLk2XeV8sA" }] }),
  response: folder,
  failures: { 404: "The workspace or the drawer does not exist, or the caller is not a member of the workspace." },
});

export const renameFolderRoute = defineRoute({
  method: "POST",
  path: "/api/folders/rename",
  id: "renameFolder",
  summary: "Rename a folder",
  description: "Changes the folder's title. The folder labels of its reports change too.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: requestedFolderId, title: cabinetTitle })
    .meta({ id: "RenameFolder", examples: [{ id: "fld_Q3ZzD1mB0kXa7TgH", title: "2027" }] }),
  response: z.object({ ok: z.literal(true), id: folderId, title: cabinetEntryTitle }),
  failures: { 404: noSuchFolder },
});

export const moveFolderRoute = defineRoute({
  method: "POST",
  path: "/api/folders/move",
  id: "moveFolder",
  summary: "Move a folder",
  description: "Moves the folder to a drawer or to the root. Its reports move with it.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      id: requestedFolderId,
      drawer_id: requestedDrawerId
        .nullable()
        .meta({ description: "The ID of the drawer to move the folder to. Null moves it to the root." }),
    })
    .meta({ id: "MoveFolder", examples: [{ id: "fld_Q3ZzD1mB0kXa7TgH", drawer_id: "drw_5bTn0QyLk2XeV8sA" }] }),
  response: z.object({
    ok: z.literal(true),
    id: folderId,
    drawer_id: drawerId.nullable().meta({ description: "The drawer's ID. Null if the folder is at the root." }),
  }),
  failures: { 404: "The folder or the drawer does not exist, or the caller is not a member of the workspace." },
});

export const deleteFolderRoute = defineRoute({
  method: "POST",
  path: "/api/folders/delete",
  id: "deleteFolder",
  summary: "Delete a folder",
  description: "Deletes the folder. Its reports become unfiled; none is deleted.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedFolderId }).meta({ id: "DeleteFolder", examples: [{ id: "fld_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: noSuchFolder },
});

export const setDefaultFolderRoute = defineRoute({
  method: "POST",
  path: "/api/settings/set-default-folder",
  id: "setDefaultFolder",
  summary: "Set the default folder",
  description:
    "Sets the folder for new reports whose upload does not specify one. Reports that already exist do not move.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      owner: requestedOwner,
      folder_id: requestedFolderId
        .nullable()
        .meta({ description: "The ID of the folder. Null leaves new reports unfiled." }),
    })
    .meta({ id: "SetDefaultFolder", examples: [{ owner: "ada", folder_id: "fld_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true), default_folder_id: defaultFolderId }),
  failures: { 404: "The workspace or the folder does not exist, or the caller is not a member of the workspace." },
});
