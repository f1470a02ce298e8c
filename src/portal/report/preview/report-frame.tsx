import { Skeleton } from "@mantine/core";
import { type Ref, useEffect, useRef, useState } from "react";
import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../../client/definitions.ts";
import { useFrameProbe } from "../../shared/frame-probe/use-frame-probe.ts";
import { useThumbnailTaking } from "../../shared/thumbnails/use-thumbnail-taking.ts";
import classes from "../report.module.css";
import type { Report } from "../types.ts";

/** Milliseconds after which a page is shown even if it is still loading. */
const LOAD_TIMEOUT = 8_000;

interface ReportFrameProps {
  src: string;
  title: string;
  report: Report;
  ref?: Ref<HTMLDivElement>;
}

/** Frames a published page. The next page loads unseen behind the visible one and replaces it when ready. */
export function ReportFrame({ src, title, report, ref }: ReportFrameProps) {
  const [shown, setShown] = useState<string>();
  const sources = shown === undefined || shown === src ? [src] : [shown, src];
  useEffect(() => {
    const timer = setTimeout(() => setShown(src), LOAD_TIMEOUT);
    return () => clearTimeout(timer);
  }, [src]);
  return (
    <div className={classes.stage} ref={ref}>
      {shown === undefined && <Skeleton className={classes.skeleton} height="100%" radius={0} />}
      {sources.map((source) => (
        <FramedPage
          key={source}
          src={source}
          title={title}
          report={report}
          isShown={source === shown}
          onLoad={() => setShown(source)}
        />
      ))}
    </div>
  );
}

interface FramedPageProps {
  src: string;
  title: string;
  report: Report;
  isShown: boolean;
  onLoad(): void;
}

/** A published page, from which the thumbnail of its version is taken if there is none. */
function FramedPage({ src, title, report, isShown, onLoad }: FramedPageProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  // The report changes before the frame of the next one appears.
  const [{ code, thumbnail_url: thumbnail }] = useState(report);
  useThumbnailTaking(useFrameProbe(frame), { code, isWanted: thumbnail === null });
  return (
    <iframe
      ref={frame}
      src={src}
      title={title}
      className={isShown ? classes.frame : `${classes.frame} ${classes.waiting}`}
      sandbox={SANDBOX_TOKENS}
      allow={FRAME_FEATURES}
      referrerPolicy="no-referrer"
      onLoad={onLoad}
    />
  );
}
