import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { addSeen } from "./add.ts";
import { readSeen } from "./read.ts";
import { findSeenBy, listSeenBy, recordSeenBy, removeExpiredSeen, removeUnwantedSeen, setSeenBy } from "./settings.ts";

export const reads = { findSeenBy, listSeenBy };
export const longReads = { readSeen };
export const writes = { addSeen, removeExpiredSeen, removeUnwantedSeen, setSeenBy };
export const records: Records<typeof writes> = {
  addSeen: unrecorded("Readers change nothing, and the audit log must not name them."),
  removeExpiredSeen: unrecorded("Records of openings are kept for a limited time."),
  removeUnwantedSeen: unrecorded("Follows from a change of the workspace's setting, which is recorded."),
  setSeenBy: recordSeenBy,
};

export const tables: readonly MovedTable[] = [
  { name: "seen", key: ["code", "link", "user_id"], pointsTo: ["workspaces"] },
  { name: "seen_batches", key: ["id"] },
];
