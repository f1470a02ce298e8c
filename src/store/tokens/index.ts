import type { MovedTable } from "../engine/moving/tables.ts";
import { addToken, findCaller, listTokens, removeToken, removeTokens, touchToken } from "./tokens.ts";

export const reads = { findCaller, listTokens };
export const writes = { addToken, removeToken, removeTokens, touchToken };

export const tables: readonly MovedTable[] = [{ name: "tokens", key: ["id"], pointsTo: ["users", "workspaces"] }];
