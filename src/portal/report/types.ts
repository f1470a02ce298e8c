import type { ItemDetailEntry, ItemVersionEntry, ReportEntry } from "../../client/routes.ts";

export type Item = ItemDetailEntry;
export type Version = ItemVersionEntry;
export type Report = ReportEntry;

/** Properties of a version's row and menu. */
export interface VersionRowProps {
  item: Item;
  version: Version;
  /** Whether an older version exists. */
  hasBefore: boolean;
  /** Whether it is the report's only version. */
  isOnly: boolean;
}
