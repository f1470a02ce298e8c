import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { isMissing } from "../../shared/states.tsx";
import { ProblemNotice } from "../problems/problem-notice.tsx";
import classes from "../report.module.css";
import { NoVersion, useShownCode } from "../shown-version.tsx";
import { Strip } from "../strip.tsx";
import type { Item, Report } from "../types.ts";
import type { Stage } from "../use-stage.ts";
import { OtherVersion } from "./other-version.tsx";
import { ReportFrame } from "./report-frame.tsx";
import { PREVIEW_INTERVAL, usePreviewUrl } from "./use-preview-url.ts";

interface PreviewViewProps {
  item: Item;
  stage: Stage;
}

/** Shows the report as readers see it. */
export function PreviewView({ item, stage }: PreviewViewProps) {
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
  return <Preview item={item} stage={stage} report={data} readAt={dataUpdatedAt} />;
}

function Preview({ item, stage, report, readAt }: PreviewViewProps & { report: Report; readAt: number }) {
  const src = usePreviewUrl(report, readAt);
  return (
    <>
      <ProblemNotice item={item} report={report} stage={stage} />
      {report.code !== item.code && <OtherVersion item={item} report={report} />}
      {src === null ? (
        <Strip>This report can't be shown here. Open it in a new tab.</Strip>
      ) : (
        <ReportFrame
          // Another kind of storage comes with another page at the same address.
          key={`${stage.reloads} ${report.storage}`}
          src={src}
          title={`Preview of ${report.title}`}
          report={report}
          ref={stage.setElement}
          onTrouble={stage.setTrouble}
          onProbe={stage.setProbe}
        />
      )}
    </>
  );
}
