import type { MovedTable } from "../engine/moving/tables.ts";
import type { Records } from "../model/records.ts";

export const reads = {};
export const writes = {};
export const records: Records<typeof writes> = {};

export const tables: readonly MovedTable[] = [];
