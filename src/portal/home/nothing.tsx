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
      title={q === undefined ? "No reports here" : `No results for “${q}”`}
      action={<Button onClick={onClear}>{q === undefined ? "Show all reports" : "Clear search and filters"}</Button>}
    >
      {q === undefined
        ? "No report matches these filters."
        : "The search covers names, titles, codes, folders and tags, but not the content of reports."}
    </Notice>
  </div>
);

/** Shown when the address names a missing folder, drawer or tag. */
export const MissingPlace = ({ onClear }: { onClear(): void }) => (
  <Notice
    icon={<IconFolderOff />}
    title="This folder, drawer or tag doesn't exist"
    action={<Button onClick={onClear}>Show all reports</Button>}
  >
    It may have been deleted.
  </Notice>
);
