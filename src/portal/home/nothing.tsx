import { Button } from "@mantine/core";
import { IconFolderOff, IconSearchOff } from "@tabler/icons-react";
import { Notice } from "../shared/states.tsx";

interface NothingFoundProps {
  q: string | undefined;
  onClear(): void;
}

/** Shown when a search or place has no reports. */
export const NothingFound = ({ q, onClear }: NothingFoundProps) => (
  <div role="status">
    <Notice
      icon={<IconSearchOff />}
      title={q === undefined ? "No reports here" : `Nothing found for “${q}”`}
      action={<Button onClick={onClear}>{q === undefined ? "Show all reports" : "Clear search and filters"}</Button>}
    >
      {q === undefined
        ? "No report is filed, tagged or shared like this."
        : "Names, titles, codes, folders and tags are searched. What reports say is not."}
    </Notice>
  </div>
);

/** Shown when the address names a missing folder, drawer or tag. */
export const MissingPlace = ({ onClear }: { onClear(): void }) => (
  <Notice
    icon={<IconFolderOff />}
    title="There is no such folder, drawer or tag"
    action={<Button onClick={onClear}>Show all reports</Button>}
  >
    It may have been deleted.
  </Notice>
);
