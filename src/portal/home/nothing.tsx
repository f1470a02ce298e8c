import { Button } from "@mantine/core";
import { IconClock, IconFolderOff, IconSearchOff, IconStar } from "@tabler/icons-react";
import type { ItemFilter } from "../api/filter.ts";
import { Notice } from "../shared/states.tsx";

interface NothingFoundProps {
  filter: ItemFilter;
  onClear(): void;
}

const OWN = {
  recent: {
    icon: <IconClock />,
    title: "Nothing recent yet",
    text: "Reports that you open or publish appear here.",
  },
  starred: {
    icon: <IconStar />,
    title: "No starred reports yet",
    text: "Star the reports that you come back to. Only you see your stars.",
  },
} as const;

/** Shown when a search or place has no reports. */
export function NothingFound({ filter: { q, place }, onClear }: NothingFoundProps) {
  if (place === undefined) return <NoResults q={q} onClear={onClear} />;
  const { icon, title, text } = OWN[place];
  return (
    <div role="status">
      <Notice icon={icon} title={title} action={<Button onClick={onClear}>Show all reports</Button>}>
        {text}
      </Notice>
    </div>
  );
}

const NoResults = ({ q, onClear }: { q: string | undefined; onClear(): void }) => (
  <div role="status">
    <Notice
      icon={<IconSearchOff />}
      title={q === undefined ? "No reports here" : `No results for “${q}”`}
      action={<Button onClick={onClear}>{q === undefined ? "Show all reports" : "Clear search and filters"}</Button>}
    >
      {q === undefined
        ? "No reports match these filters."
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
