import type { MovedTable } from "../engine/moving/tables.ts";
import type { Records } from "../model/records.ts";
import { deleteItem, deleteItems, deleteVersion } from "./deleting.ts";
import { findDueVersions, previewRetention } from "./due-versions.ts";
import { findDeletion, findTrashed, listTrash, measureTrash } from "./list.ts";
import { protectItem, protectVersion } from "./protection.ts";
import { emptyTrash, purgeExpired, purgeTrash } from "./purge.ts";
import {
  recordDeletion,
  recordDeletions,
  recordEmptying,
  recordExpiry,
  recordItemProtection,
  recordPurge,
  recordRestore,
  recordRetention,
  recordRule,
  recordRuleRemoval,
  recordVersionDeletion,
  recordVersionProtection,
} from "./records.ts";
import { restoreTrash } from "./restore.ts";
import { applyRetention } from "./retention.ts";
import { hasRetentionPlace, listRetained, listRetention, removeRetention, setRetention } from "./rules.ts";

export const reads = {
  findDeletion,
  findTrashed,
  listTrash,
  measureTrash,
  listRetention,
  listRetained,
  hasRetentionPlace,
};
export const slowReads = { findDueVersions, previewRetention };
export const writes = {
  deleteItem,
  deleteItems,
  deleteVersion,
  restoreTrash,
  purgeTrash,
  emptyTrash,
  purgeExpired,
  protectItem,
  protectVersion,
  setRetention,
  removeRetention,
  applyRetention,
};
export const inBackground: readonly (keyof typeof writes | keyof typeof slowReads)[] = [
  "findDueVersions",
  "purgeExpired",
  "applyRetention",
];
export const records: Records<typeof writes> = {
  deleteItem: recordDeletion,
  deleteItems: recordDeletions,
  deleteVersion: recordVersionDeletion,
  restoreTrash: recordRestore,
  purgeTrash: recordPurge,
  emptyTrash: recordEmptying,
  purgeExpired: recordExpiry,
  protectItem: recordItemProtection,
  protectVersion: recordVersionProtection,
  setRetention: recordRule,
  removeRetention: recordRuleRemoval,
  applyRetention: recordRetention,
};

export const tables: readonly MovedTable[] = [
  { name: "deletions", key: ["id"], pointsTo: ["workspaces", "users"] },
  { name: "trashed_versions", key: ["code"], pointsTo: ["deletions"] },
  { name: "retention_rules", key: ["id"], pointsTo: ["workspaces", "folders", "tags"] },
];
