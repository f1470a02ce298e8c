import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { findThumbnail, findThumbnailed, setThumbnail } from "./thumbnails.ts";

export const reads = { findThumbnail, findThumbnailed };
export const writes = { setThumbnail };
export const records: Records<typeof writes> = {
  setThumbnail: unrecorded("A picture of a version changes neither its content nor who may read it."),
};

export const tables: readonly MovedTable[] = [{ name: "thumbnails", key: ["code"] }];
