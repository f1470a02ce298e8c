import type { MovedTable } from "../engine/moving/tables.ts";
import type { Records } from "../model/records.ts";
import { findTarget, publish } from "./publish.ts";
import { publishAtOnce } from "./publish-at-once.ts";
import { recordPublish } from "./records.ts";
import { findPublished } from "./request-keys.ts";

export const reads = { findPublished, findTarget };
export const writes = { publish };
export const records: Records<typeof writes> = { publish: recordPublish };
/** Writes that PostgreSQL can often do in one statement; undefined leaves them to the transaction. */
export const atOnce = { publish: publishAtOnce };

export const tables: readonly MovedTable[] = [
  { name: "request_keys", key: ["user_id", "workspace_id", "key"], pointsTo: ["users", "workspaces"] },
];
