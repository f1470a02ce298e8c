import type { Topic } from "../model/topic.ts";
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
import { setFolderRoute } from "./filing.ts";
import { fileItemsRoute, tagItemsRoute } from "./items.ts";
import { addShortcutRoute, removeShortcutRoute, shortcutsRoute } from "./shortcuts.ts";
import { createTagRoute, deleteTagRoute, moveTagRoute, renameTagRoute } from "./tags.ts";

export const topics: readonly Topic[] = [
  {
    name: "Filing and tagging",
    description: "File reports into folders and tag them, up to 200 per call.",
    place: 50,
    routes: [fileItemsRoute, tagItemsRoute, setDefaultFolderRoute, setFolderRoute],
  },
  {
    name: "Cabinet",
    description: "Drawers, the folders in them, and the tag tree of a workspace.",
    place: 60,
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
    place: 70,
    routes: [shortcutsRoute, addShortcutRoute, removeShortcutRoute],
  },
];
