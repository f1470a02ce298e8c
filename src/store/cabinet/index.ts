import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { fileItems, tagItems } from "./batches.ts";
import {
  addDrawer,
  addFolder,
  deleteDrawer,
  deleteFolder,
  moveFolder,
  renameDrawer,
  renameFolder,
  setDefaultFolder,
} from "./cabinet.ts";
import { addShortcut, listShortcuts, removeShortcut } from "./shortcuts.ts";
import { addTag, deleteTag, moveTag, renameTag } from "./tags.ts";
import { countCabinetChanges, readTaxonomy } from "./taxonomy.ts";

export const reads = { listShortcuts, countCabinetChanges };
export const longReads = { readTaxonomy };
export const writes = {
  addDrawer,
  renameDrawer,
  deleteDrawer,
  addFolder,
  renameFolder,
  moveFolder,
  deleteFolder,
  setDefaultFolder,
  addTag,
  renameTag,
  moveTag,
  deleteTag,
  addShortcut,
  removeShortcut,
  fileItems,
  tagItems,
};

const organizing = unrecorded("Organizing a workspace changes neither a report nor who may read it.");

export const records: Records<typeof writes> = {
  addDrawer: organizing,
  renameDrawer: organizing,
  deleteDrawer: organizing,
  addFolder: organizing,
  renameFolder: organizing,
  moveFolder: organizing,
  deleteFolder: organizing,
  setDefaultFolder: organizing,
  addTag: organizing,
  renameTag: organizing,
  moveTag: organizing,
  deleteTag: organizing,
  addShortcut: organizing,
  removeShortcut: organizing,
  fileItems: organizing,
  tagItems: organizing,
};

export const tables: readonly MovedTable[] = [
  { name: "drawers", key: ["id"], pointsTo: ["workspaces"] },
  { name: "folders", key: ["id"], pointsTo: ["drawers"] },
  { name: "tags", key: ["id"], pointsTo: ["workspaces"], pointsToItself: "parent_id" },
  { name: "item_tags", key: ["item_id", "tag_id"], pointsTo: ["items", "tags"] },
  { name: "shortcuts", key: ["user_id", "workspace_id", "kind", "ref"], pointsTo: ["users", "workspaces"] },
];
