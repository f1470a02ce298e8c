import { Button, SegmentedControl, Skeleton } from "@mantine/core";
import { IconArrowRight, IconArrowsExchange, IconGitCompare } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { COMPARE_WAYS, type CompareWay } from "../../app/report-search.ts";
import { ErrorState, isMissing, Notice } from "../../shared/states.tsx";
import { useReportAddress } from "../address.ts";
import report from "../report.module.css";
import type { Item, Report } from "../types.ts";
import { usePhone } from "../use-width.ts";
import { VersionPicker } from "../versions/version-picker.tsx";
import type { ComparedCodes } from "./choose-codes.ts";
import classes from "./compare.module.css";
import { CompareChanges } from "./compare-changes.tsx";
import { ComparePages } from "./compare-pages.tsx";
import { CompareSource } from "./compare-source.tsx";
import { useComparedCodes } from "./use-compared-codes.ts";

const LABELS: Record<CompareWay, string> = {
  pages: "Side by side",
  overlay: "Overlay",
  changes: "Changes",
  source: "Source",
};

/** Compares two versions. */
export function CompareView({ item }: { item: Item }) {
  const { codes, error, retry } = useComparedCodes(item);
  if (item.version_count === 1) return <OnlyOne item={item} />;
  if (error !== null) return <ErrorState error={error} onRetry={retry} />;
  if (codes === undefined) return <Skeleton className={report.stage} />;
  return <Comparison item={item} codes={codes} />;
}

const OnlyOne = ({ item }: { item: Item }) => (
  <Notice icon={<IconGitCompare />} title="Nothing to compare yet">
    {item.kind === "group"
      ? "This report has one version. Publish another one to compare them."
      : "Reports without a name have one version."}
  </Notice>
);

function Comparison({ item, codes }: { item: Item; codes: ComparedCodes }) {
  const before = useQuery(reportQuery(codes.before));
  const after = useQuery(reportQuery(codes.after));
  const isPhone = usePhone();
  const { search, go } = useReportAddress();
  const way = search.as ?? (isPhone ? "overlay" : "pages");
  const failed = [before, after].find(({ error, data }) => error !== null && (data === undefined || isMissing(error)));
  return (
    <>
      <div className={classes.head}>
        <Chosen item={item} codes={codes} />
        <SegmentedControl
          aria-label="Comparison"
          size="xs"
          value={way}
          onChange={(value) => go({ as: COMPARE_WAYS.find((each) => each === value) })}
          data={COMPARE_WAYS.map((value) => ({ value, label: LABELS[value] }))}
        />
      </div>
      {failed !== undefined && <NoVersion error={failed.error} onRetry={() => void failed.refetch()} />}
      {failed === undefined && (before.data === undefined || after.data === undefined) && (
        <Skeleton className={report.stage} />
      )}
      {failed === undefined && before.data !== undefined && after.data !== undefined && (
        <Compared way={way} before={before.data} after={after.data} />
      )}
    </>
  );
}

function Compared({ way, before, after }: { way: CompareWay; before: Report; after: Report }) {
  const key = `${before.code} ${after.code}`;
  if (way === "changes") return <CompareChanges key={key} before={before} after={after} />;
  if (way === "source") return <CompareSource key={key} before={before} after={after} />;
  return <ComparePages key={key} before={before} after={after} isOverlay={way === "overlay"} />;
}

function NoVersion({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isMissing(error)) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <Notice icon={<IconGitCompare />} title="This version isn't available">
      It was deleted or isn't shared with you. Choose another version.
    </Notice>
  );
}

function Chosen({ item, codes: { before, after } }: { item: Item; codes: ComparedCodes }) {
  const { go } = useReportAddress();
  const choose = (from: string, to: string) => go({ version: to === item.code ? undefined : to, with: from });
  return (
    <div className={classes.chosen}>
      <VersionPicker item={item} value={before} purpose="From" isQuiet onChoose={(code) => choose(code, after)} />
      <IconArrowRight size={16} aria-hidden />
      <VersionPicker item={item} value={after} purpose="To" isQuiet onChoose={(code) => choose(before, code)} />
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconArrowsExchange size={16} aria-hidden />}
        onClick={() => choose(after, before)}
      >
        Swap
      </Button>
    </div>
  );
}
