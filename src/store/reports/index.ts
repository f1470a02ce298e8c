import type { MovedTable } from "../engine/moving/tables.ts";
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

export const tables: readonly MovedTable[] = [
  { name: "items", key: ["id"], pointsTo: ["workspaces", "users", "folders"], counts: true },
  { name: "versions", key: ["code"], pointsTo: ["items"] },
  { name: "deletions", key: ["id"], pointsTo: ["workspaces", "users"] },
  { name: "retired_codes", key: ["code"], pointsTo: ["deletions"] },
];
