import { findLiveById, findLiveByName } from "./live.ts";

export const reads = { findLiveByName, findLiveById };
