import type { ItemDetailEntry, ItemVersionEntry, ReportEntry } from "../../client/routes.ts";

export type Item = ItemDetailEntry;
export type Version = ItemVersionEntry;
export type Report = ReportEntry;

/** What the line of a version knows, and its menu. */
export interface VersionRowProps {
  item: Item;
  version: Version;
  /** Whether there is an older one. */
  hasBefore: boolean;
  /** Whether the group goes with it. */
  isOnly: boolean;
}
