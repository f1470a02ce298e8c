import type { VersionOfItem } from "./access.ts";

/** Returns the title that a report is shown with: the one that someone gave it, or that of the version. */
export const titleOf = ({
  item,
  version,
}: {
  item: Pick<VersionOfItem["item"], "displayTitle">;
  version: Pick<VersionOfItem["version"], "title">;
}): string => item.displayTitle ?? version.title;
