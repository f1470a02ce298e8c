import { findLiveByCode, findLiveById, findLiveByName } from "./live.ts";

export const reads = { findLiveByCode, findLiveByName, findLiveById };
