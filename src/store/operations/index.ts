import type { MovedTable } from "../engine/moving/tables.ts";
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
  listPublishedAfter,
  findPublishedObject,
  findScrub,
  listDamage,
  countDamage,
  isBackingUp,
  findLastBackup,
};
export const longReads = { measurePublished };
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
  saveScrub,
  noteDamage,
  forgetDamage,
  startBackup,
  renewBackup,
  endBackup,
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
