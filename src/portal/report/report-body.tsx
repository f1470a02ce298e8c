import { Alert, Skeleton, Stack, Tabs } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useRef } from "react";
import { describeNumber } from "../shared/amounts.ts";
import { loadPart } from "../shared/missing-part.ts";
import { type Tab, useReportAddress } from "./address.ts";
import { DetailsPanel } from "./details-panel.tsx";
import { PreviewTab } from "./preview/preview-tab.tsx";
import classes from "./report.module.css";
import { ReportHead } from "./report-head.tsx";
import type { Item } from "./types.ts";
import { useReportCommands } from "./use-report-commands.ts";

const VersionsTab = lazy(() =>
  loadPart(import("./versions/versions-tab.tsx")).then(({ VersionsTab }) => ({ default: VersionsTab })),
);
const CompareTab = lazy(() =>
  loadPart(import("./compare/compare-tab.tsx")).then(({ CompareTab }) => ({ default: CompareTab })),
);
const FilesTab = lazy(() => loadPart(import("./files/files-tab.tsx")).then(({ FilesTab }) => ({ default: FilesTab })));

const TABS: readonly Tab[] = ["preview", "versions", "compare", "files"];

export function ReportBody({ item }: { item: Item }) {
  const { tab } = useReportAddress().search;
  useReportCommands(item);
  return (
    <Stack gap="lg" className={classes.page}>
      <ReportHead item={item} />
      <VisibilityMismatch item={item} />
      <div className={classes.layout} data-wide={tab === "compare" || undefined}>
        <ReportTabs item={item} />
        <DetailsPanel item={item} />
      </div>
    </Stack>
  );
}

function ReportTabs({ item }: { item: Item }) {
  const { search, go } = useReportAddress();
  const tab = search.tab ?? "preview";
  const isFirst = useRef(true);
  const list = useRef<HTMLDivElement>(null);
  // The control that led here may have been removed with its tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another tab or version is shown
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (document.activeElement === document.body && !isFirst.current) chosen?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [tab, search.version]);
  const choose = (value: string | null) => {
    const chosen = TABS.find((each) => each === value);
    if (chosen !== undefined) go({ tab: chosen === "preview" ? undefined : chosen });
  };
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false} activateTabWithKeyboard={false}>
      <Tabs.List mb="md" ref={list}>
        <Tabs.Tab value="preview">Preview</Tabs.Tab>
        <Tabs.Tab value="versions">Versions {describeNumber(item.version_count)}</Tabs.Tab>
        <Tabs.Tab value="compare">Compare</Tabs.Tab>
        <Tabs.Tab value="files">Files</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <Suspense fallback={<Skeleton height={320} />}>
          {tab === "preview" && <PreviewTab item={item} />}
          {tab === "versions" && <VersionsTab item={item} />}
          {tab === "compare" && <CompareTab item={item} />}
          {tab === "files" && <FilesTab item={item} />}
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

const WORDS = { public: "public", org: "shared with the organization", private: "private" };

/** Warns when the report and its current version have different visibilities. */
function VisibilityMismatch({ item }: { item: Item }) {
  const { kind, visibility, current_visibility: current } = item;
  if (kind === "report" || visibility === current) return null;
  return (
    <Alert
      icon={<IconEyeOff />}
      color="yellow"
      title={`The report is ${WORDS[visibility]}, but its current version is ${WORDS[current]}`}
    >
      The live link works for people who can view both. The version link depends only on the version's visibility.
    </Alert>
  );
}
