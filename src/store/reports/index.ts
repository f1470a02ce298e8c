import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { deleteItem, deleteVersion } from "./deletion.ts";
import { deleteItems, findDeletion, restoreItems } from "./deletions.ts";
import { countReadableVersions, listReadableVersions } from "./details.ts";
import { findItemsOf, findNamedReports, findVersions } from "./find-many.ts";
import {
  findFolder,
  findNamedReport,
  findNamedReportWithVersions,
  findVersion,
  listTags,
  listVersions,
  rename,
  rollBack,
  setFolder,
  setItemVisibility,
  setVersionVisibility,
} from "./items.ts";
import { listItems } from "./lists.ts";
import {
  recordDeletion,
  recordDeletions,
  recordItemVisibility,
  recordRename,
  recordRestore,
  recordRollBack,
  recordVersionDeletion,
  recordVersionVisibility,
} from "./records.ts";
import { findServed, findVisibility } from "./serve.ts";

export const reads = {
  findNamedReport,
  findNamedReportWithVersions,
  findVersion,
  listVersions,
  findFolder,
  listTags,
  findNamedReports,
  findVersions,
  findItemsOf,
  findDeletion,
  listItems,
  findServed,
  findVisibility,
};
export const longReads = { countReadableVersions, listReadableVersions };
export const writes = {
  rename,
  rollBack,
  setFolder,
  setItemVisibility,
  setVersionVisibility,
  deleteItem,
  deleteVersion,
  deleteItems,
  restoreItems,
};
export const records: Records<typeof writes> = {
  rename: recordRename,
  rollBack: recordRollBack,
  setFolder: unrecorded("Filing changes neither a report nor who may read it."),
  setItemVisibility: recordItemVisibility,
  setVersionVisibility: recordVersionVisibility,
  deleteItem: recordDeletion,
  deleteVersion: recordVersionDeletion,
  deleteItems: recordDeletions,
  restoreItems: recordRestore,
};

export const tables: readonly MovedTable[] = [
  { name: "items", key: ["id"], pointsTo: ["workspaces", "users", "folders"], counts: true },
  { name: "versions", key: ["code"], pointsTo: ["items"] },
  { name: "deletions", key: ["id"], pointsTo: ["workspaces", "users"] },
  { name: "retired_codes", key: ["code"], pointsTo: ["deletions"] },
];
