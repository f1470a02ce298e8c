import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { addSignInFailure, listEntries, recordSignInFailure, removeExpired } from "./entries.ts";

export const longReads = { listEntries };
export const writes = { addSignInFailure, removeExpired };
export const records: Records<typeof writes> = {
  addSignInFailure: recordSignInFailure,
  removeExpired: unrecorded("The setting VITRINE_AUDIT_DAYS asks for it."),
};

export const tables: readonly MovedTable[] = [
  { name: "audit_horizon", key: ["number"] },
  { name: "audit_entries", key: ["id"], pointsTo: ["audit_horizon"], counts: true, horizon: "audit_horizon" },
];
