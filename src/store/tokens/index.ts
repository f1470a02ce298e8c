import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { recordRevocation, recordRevocations, recordTokenCreation } from "./records.ts";
import { addToken, findCaller, listTokens, removeToken, removeTokens, touchToken } from "./tokens.ts";

export const reads = { findCaller, listTokens };
export const writes = { addToken, removeToken, removeTokens, touchToken };
export const records: Records<typeof writes> = {
  addToken: recordTokenCreation,
  removeToken: recordRevocation,
  removeTokens: recordRevocations,
  touchToken: unrecorded("It only says when a token was last used."),
};

export const tables: readonly MovedTable[] = [
  { name: "tokens", key: ["id"], pointsTo: ["users", "workspaces", "oauth_grants"] },
];
