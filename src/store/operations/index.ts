import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { claimInstallation, findInstallation, hasReports } from "./installation.ts";
import { writeProbe } from "./probes.ts";
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
};

export const tables: readonly MovedTable[] = [
  { name: "installation", key: ["number"], isLeftByStart: true },
  { name: "orphans", key: ["key"] },
  { name: "sweep_hold", key: ["number"] },
];
