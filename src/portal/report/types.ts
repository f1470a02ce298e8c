import type { ItemDetailEntry, ItemVersionEntry, ReportEntry } from "../../client/routes.ts";

export type Item = ItemDetailEntry;
export type Version = ItemVersionEntry;
export type Report = ReportEntry;

/** Properties of a version's entry and menu. */
export interface VersionEntryProps {
  item: Item;
  version: Version;
  /** The version before it, if there is one and it has been loaded. */
  before: Version | undefined;
  /** Whether it is the report's only version. */
  isOnly: boolean;
}
