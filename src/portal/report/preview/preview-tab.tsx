import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { reportQuery } from "../../api/queries.ts";
import { isMissing } from "../../shared/states.tsx";
import { useReportAddress } from "../address.ts";
import { ReaderBar } from "../reader-bar.tsx";
import classes from "../report.module.css";
import { NoVersion, useShownCode } from "../shown-version.tsx";
import type { Item, Report } from "../types.ts";
import { ReportFrame } from "./report-frame.tsx";
import { PREVIEW_INTERVAL, usePreviewUrl } from "./use-preview-url.ts";

/** Shows the report as readers see it. */
export function PreviewTab({ item }: { item: Item }) {
  const code = useShownCode(item);
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...reportQuery(code),
    placeholderData: (before) => before,
    refetchInterval: PREVIEW_INTERVAL,
  });
  if (error !== null && (data === undefined || isMissing(error))) {
    return <NoVersion error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton className={classes.stage} />;
  return <Preview item={item} report={data} readAt={dataUpdatedAt} />;
}

function Preview({ item, report, readAt }: { item: Item; report: Report; readAt: number }) {
  const { search, go } = useReportAddress();
  const stage = useRef<HTMLDivElement>(null);
  const src = usePreviewUrl(report, readAt);
  return (
    <div className={classes.preview}>
      <ReaderBar
        item={item}
        report={report}
        isPaused={search.version !== undefined}
        stage={stage}
        onChoose={(version) => go({ version })}
        onShare={() => go({ share: true })}
      />
      {src === null ? (
        <Text>This report can't be shown here. Open it in a new tab.</Text>
      ) : (
        <ReportFrame src={src} title={`Preview of ${report.title}`} ref={stage} />
      )}
    </div>
  );
}
