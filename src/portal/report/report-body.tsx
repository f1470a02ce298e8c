import { Skeleton } from "@mantine/core";
import { Suspense } from "react";
import { lazyPart } from "../shared/lazy-part.ts";
import { useReportAddress } from "./address.ts";
import { ReportBar } from "./bar/report-bar.tsx";
import { ChangesNews } from "./changes/changes-news.tsx";
import { useChanges } from "./changes/use-changes.ts";
import { CommentsSide } from "./comments/comments-side.tsx";
import { useComments } from "./comments/use-comments.ts";
import { SidePanel } from "./panel/side-panel.tsx";
import { usePanel } from "./panel/use-panel.ts";
import { PreviewView } from "./preview/preview-view.tsx";
import classes from "./report.module.css";
import type { Item } from "./types.ts";
import { useReportCommands } from "./use-report-commands.ts";
import { useStage } from "./use-stage.ts";

const ChangesStrip = lazyPart(async () => (await import("./parts.ts")).ChangesStrip);
const CompareView = lazyPart(async () => (await import("./compare/compare-view.tsx")).CompareView);
const FilesView = lazyPart(async () => (await import("./parts.ts")).FilesView);

/** A report with its bar above and its panel beside it. */
export function ReportBody({ item }: { item: Item }) {
  const { view } = useReportAddress();
  const panel = usePanel();
  const stage = useStage();
  const comments = useComments(item);
  const changes = useChanges();
  useReportCommands({ item, panel, stage });
  return (
    <div className={classes.page}>
      <ReportBar item={item} panel={panel} comments={comments} changes={changes} stage={stage} />
      <div className={classes.body}>
        <div className={classes.view}>
          {view === undefined && changes.from === undefined && <ChangesNews changes={changes} />}
          {/* The report stays visible while the strip loads. */}
          <Suspense>
            {view === undefined && changes.from !== undefined && (
              <ChangesStrip item={item} changes={changes} stage={stage} />
            )}
          </Suspense>
          <Suspense fallback={<Skeleton className={classes.stage} />}>
            {view === undefined && <PreviewView item={item} stage={stage} />}
            {view === "compare" && <CompareView item={item} />}
            {view === "files" && <FilesView item={item} />}
          </Suspense>
        </div>
        {comments.isOpen && view === undefined ? (
          <CommentsSide item={item} comments={comments} stage={stage} isSheet={panel.isSheet} />
        ) : (
          <SidePanel item={item} panel={panel} />
        )}
      </div>
    </div>
  );
}
