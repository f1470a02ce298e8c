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
    description: "Puts groups and standalone reports into folders and gives them tags, many at once.",
    place: 50,
    routes: [fileItemsRoute, tagItemsRoute, setDefaultFolderRoute, setFolderRoute],
  },
  {
    name: "Cabinet",
    description: "A workspace's drawers, the folders in them, and its tree of tags.",
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
    description: "What the caller keeps at hand in a workspace.",
    place: 70,
    routes: [shortcutsRoute, addShortcutRoute, removeShortcutRoute],
  },
];
