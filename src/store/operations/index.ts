import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { endAllSessions, listAllTokens, removeAnyToken } from "./administered-credentials.ts";
import { changeMembership } from "./administered-members.ts";
import { findAdministeredUser, listUsers } from "./administered-users.ts";
import { countContents, findWorkspace, listOrganizations, listWorkspaces } from "./administered-workspaces.ts";
import { endBackup, findLastBackup, isBackingUp, renewBackup, startBackup } from "./backups.ts";
import { claimInstallation, findInstallation, hasReports } from "./installation.ts";
import { writeProbe } from "./probes.ts";
import { findPublishedObject, listPublishedAfter } from "./published.ts";
import { countDamage, findScrub, forgetDamage, listDamage, measurePublished, noteDamage, saveScrub } from "./scrub.ts";
import {
  confirmHold,
  countDue,
  findHold,
  findLiving,
  findRetired,
  forgetAllOrphans,
  forgetOrphans,
  holdSweep,
  listDue,
  listHeld,
  listUnswept,
  markSwept,
  noteOrphans,
  releaseHold,
  removeExpired,
  removeOrphans,
} from "./sweep.ts";
import { claimTask, endTask, listTasks, renewTask } from "./tasks.ts";
import { measureUsage } from "./usage.ts";
import { disableUser, enableUser, setOperator } from "./user-changes.ts";
import { beginUserDeletion, finishUserDeletion } from "./user-deletion.ts";
import {
  recordAllEnded,
  recordAnyRevocation,
  recordBegunDeletion,
  recordDisabling,
  recordEnabling,
  recordMembership,
  recordOperator,
  recordUserDeletion,
} from "./user-records.ts";
import {
  beginWorkspaceDeletion,
  copyFolder,
  copyTag,
  deleteEmptyWorkspace,
  deleteReports,
  listCabinet,
  moveReports,
} from "./workspace-changes.ts";
import { recordClosing, recordDeletedReports, recordMove, recordWorkspaceDeletion } from "./workspace-records.ts";

export const reads = {
  listUnswept,
  findLiving,
  findRetired,
  countDue,
  listDue,
  findHold,
  listHeld,
  findInstallation,
  hasReports,
  listTasks,
  isBackingUp,
  findLastBackup,
  listPublishedAfter,
  findPublishedObject,
  findScrub,
  listDamage,
  countDamage,
  findAdministeredUser,
  findWorkspace,
  listCabinet,
};
export const slowReads = {
  measurePublished,
  measureUsage,
  listUsers,
  listAllTokens,
  listOrganizations,
  listWorkspaces,
  countContents,
};
export const writes = {
  markSwept,
  removeExpired,
  noteOrphans,
  forgetOrphans,
  forgetAllOrphans,
  removeOrphans,
  holdSweep,
  releaseHold,
  confirmHold,
  claimInstallation,
  writeProbe,
  claimTask,
  renewTask,
  endTask,
  startBackup,
  renewBackup,
  endBackup,
  saveScrub,
  noteDamage,
  forgetDamage,
  setOperator,
  disableUser,
  enableUser,
  beginUserDeletion,
  finishUserDeletion,
  removeAnyToken,
  endAllSessions,
  changeMembership,
  beginWorkspaceDeletion,
  deleteReports,
  deleteEmptyWorkspace,
  copyFolder,
  copyTag,
  moveReports,
};
const upkeep = unrecorded("The server maintains its own storage.");

export const records: Records<typeof writes> = {
  markSwept: upkeep,
  removeExpired: upkeep,
  noteOrphans: upkeep,
  forgetOrphans: upkeep,
  forgetAllOrphans: upkeep,
  removeOrphans: upkeep,
  holdSweep: upkeep,
  releaseHold: upkeep,
  confirmHold: upkeep,
  claimInstallation: upkeep,
  writeProbe: upkeep,
  claimTask: upkeep,
  renewTask: upkeep,
  endTask: upkeep,
  startBackup: upkeep,
  renewBackup: upkeep,
  endBackup: upkeep,
  saveScrub: upkeep,
  noteDamage: upkeep,
  forgetDamage: upkeep,
  setOperator: recordOperator,
  disableUser: recordDisabling,
  enableUser: recordEnabling,
  beginUserDeletion: recordBegunDeletion,
  finishUserDeletion: recordUserDeletion,
  removeAnyToken: recordAnyRevocation,
  endAllSessions: recordAllEnded,
  changeMembership: recordMembership,
  beginWorkspaceDeletion: recordClosing,
  deleteReports: recordDeletedReports,
  deleteEmptyWorkspace: recordWorkspaceDeletion,
  copyFolder: unrecorded("Each report that is transferred is recorded."),
  copyTag: unrecorded("Each report that is transferred is recorded."),
  moveReports: recordMove,
};

export const tables: readonly MovedTable[] = [
  { name: "installation", key: ["number"], isLeftByStart: true },
  { name: "orphans", key: ["key"] },
  { name: "sweep_hold", key: ["number"] },
  { name: "tasks", key: ["name"], isLeftByStart: true },
  { name: "scrub", key: ["number"], isLeftByStart: true },
  { name: "damaged_objects", key: ["key"], isLeftByStart: true },
  { name: "backups", key: ["id"], isLeftByStart: true },
];
