import { z } from "zod";
import { cabinetTitle, itemCount, nothing, soughtOwner } from "../model/common.ts";
import {
  cabinetEntryTitle,
  defaultFolderId,
  drawerId,
  folderId,
  soughtDrawerId,
  soughtFolderId,
  workspaceSlug,
} from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { tag } from "./tags.ts";

const noSuchWorkspace = "There is no such workspace, or the caller is no member of it.";
const noSuchDrawer = "There is no such drawer, or it is in a workspace of others.";
const noSuchFolder = "There is no such folder, or it is in a workspace of others.";

const drawer = z
  .object({ id: drawerId, title: cabinetEntryTitle, item_count: itemCount })
  .meta({ id: "Drawer", examples: [{ id: "drw_5bTn0QyLk2XeV8sA", title: "Sales", item_count: 12 }] });

const folder = z
  .object({
    id: folderId,
    title: cabinetEntryTitle,
    drawer_id: drawerId.nullable().meta({ description: "Null at the root." }),
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
  summary: "Show a workspace's drawers, folders and tags",
  description:
    "Each by title. A drawer counts what is in its folders; a tag counts what carries it itself, and not what carries one below it.",
  scope: "reports:read",
  query: z.object({ owner: soughtOwner }),
  body: nothing,
  response: z
    .object({
      owner: workspaceSlug,
      drawers: z.array(drawer).meta({ description: "By title." }),
      folders: z.array(folder).meta({ description: "By title, those at the root among them." }),
      tags: z.array(tag).meta({ description: "By title; `parent_id` says which is below which." }),
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
  summary: "Make a drawer",
  description: "Drawers hold folders.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: soughtOwner, title: cabinetTitle })
    .meta({ id: "CreateDrawer", examples: [{ owner: "ada", title: "Sales" }] }),
  response: drawer,
  failures: { 404: noSuchWorkspace },
});

export const renameDrawerRoute = defineRoute({
  method: "POST",
  path: "/api/drawers/rename",
  id: "renameDrawer",
  summary: "Rename a drawer",
  description: "The labels of the folders in it change with it.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: soughtDrawerId, title: cabinetTitle })
    .meta({ id: "RenameDrawer", examples: [{ id: "drw_5bTn0QyLk2XeV8sA", title: "Revenue" }] }),
  response: z.object({ ok: z.literal(true), id: drawerId, title: cabinetEntryTitle }),
  failures: { 404: noSuchDrawer },
});

export const deleteDrawerRoute = defineRoute({
  method: "POST",
  path: "/api/drawers/delete",
  id: "deleteDrawer",
  summary: "Delete a drawer",
  description: "Its folders move to the root, with everything that is filed in them.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: soughtDrawerId }).meta({ id: "DeleteDrawer", examples: [{ id: "drw_5bTn0QyLk2XeV8sA" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: noSuchDrawer },
});

export const createFolderRoute = defineRoute({
  method: "POST",
  path: "/api/folders/create",
  id: "createFolder",
  summary: "Make a folder",
  description: "In a drawer, or without one at the root.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      owner: soughtOwner,
      title: cabinetTitle,
      drawer_id: soughtDrawerId
        .nullish()
        .meta({ description: "The drawer that it goes into; at the root unless given." }),
    })
    .meta({ id: "CreateFolder", examples: [{ owner: "ada", title: "2026", drawer_id: "drw_5bTn0QyLk2XeV8sA" }] }),
  response: folder,
  failures: { 404: "There is no such workspace, or no such drawer in it." },
});

export const renameFolderRoute = defineRoute({
  method: "POST",
  path: "/api/folders/rename",
  id: "renameFolder",
  summary: "Rename a folder",
  description: "The labels of what is filed in it change with it.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: soughtFolderId, title: cabinetTitle })
    .meta({ id: "RenameFolder", examples: [{ id: "fld_Q3ZzD1mB0kXa7TgH", title: "2027" }] }),
  response: z.object({ ok: z.literal(true), id: folderId, title: cabinetEntryTitle }),
  failures: { 404: noSuchFolder },
});

export const moveFolderRoute = defineRoute({
  method: "POST",
  path: "/api/folders/move",
  id: "moveFolder",
  summary: "Move a folder into a drawer or to the root",
  description: "What is filed in it stays in it.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: soughtFolderId, drawer_id: soughtDrawerId.nullable().meta({ description: "Null: to the root." }) })
    .meta({ id: "MoveFolder", examples: [{ id: "fld_Q3ZzD1mB0kXa7TgH", drawer_id: "drw_5bTn0QyLk2XeV8sA" }] }),
  response: z.object({
    ok: z.literal(true),
    id: folderId,
    drawer_id: drawerId.nullable().meta({ description: "Null at the root." }),
  }),
  failures: { 404: "There is no such folder, or no such drawer in its workspace." },
});

export const deleteFolderRoute = defineRoute({
  method: "POST",
  path: "/api/folders/delete",
  id: "deleteFolder",
  summary: "Delete a folder",
  description: "What is filed in it is unfiled, and stays.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: soughtFolderId }).meta({ id: "DeleteFolder", examples: [{ id: "fld_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: noSuchFolder },
});

export const setDefaultFolderRoute = defineRoute({
  method: "POST",
  path: "/api/settings/set-default-folder",
  id: "setDefaultFolder",
  summary: "Say where uploads that name no folder are filed",
  description:
    "For new groups and standalone reports; a new version stays where its group is. Null files them nowhere.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: soughtOwner, folder_id: soughtFolderId.nullable().meta({ description: "Null: nowhere." }) })
    .meta({ id: "SetDefaultFolder", examples: [{ owner: "ada", folder_id: "fld_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true), default_folder_id: defaultFolderId }),
  failures: { 404: "There is no such workspace, or no such folder in it." },
});
