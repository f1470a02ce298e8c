import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { countReadableVersions, findRemarks, listReadableVersions } from "./details.ts";
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
  recordItemStorage,
  recordItemVisibility,
  recordRename,
  recordRollBack,
  recordTitle,
  recordVersionStorage,
  recordVersionVisibility,
} from "./records.ts";
import { listSamples } from "./samples.ts";
import { findServed, findServedState } from "./serve.ts";
import { setItemStorage, setVersionStorage } from "./storage.ts";
import { setTitle } from "./titles.ts";

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
  listItems,
  findServed,
  findServedState,
  findRemarks,
  listSamples,
};
export const longReads = { countReadableVersions, listReadableVersions };
export const writes = {
  rename,
  rollBack,
  setFolder,
  setItemVisibility,
  setVersionVisibility,
  setItemStorage,
  setVersionStorage,
  setTitle,
};
export const records: Records<typeof writes> = {
  rename: recordRename,
  rollBack: recordRollBack,
  setFolder: unrecorded("Filing changes neither a report nor who may read it."),
  setItemVisibility: recordItemVisibility,
  setVersionVisibility: recordVersionVisibility,
  setItemStorage: recordItemStorage,
  setVersionStorage: recordVersionStorage,
  setTitle: recordTitle,
};

export const tables: readonly MovedTable[] = [
  { name: "items", key: ["id"], pointsTo: ["workspaces", "users", "folders"], counts: true },
  { name: "versions", key: ["code"], pointsTo: ["items"] },
  { name: "retired_codes", key: ["code"], pointsTo: ["deletions"] },
];
