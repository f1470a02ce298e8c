import { Skeleton } from "@mantine/core";
import { type Ref, useEffect, useState } from "react";
import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../../client/definitions.ts";
import classes from "../report.module.css";

/** Milliseconds after which a page is shown even if it is still loading. */
const LOAD_TIMEOUT = 8_000;

interface ReportFrameProps {
  src: string;
  title: string;
  ref?: Ref<HTMLDivElement>;
}

/** Frames a published page. The next page loads unseen behind the visible one and replaces it when ready. */
export function ReportFrame({ src, title, ref }: ReportFrameProps) {
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
        <iframe
          key={source}
          src={source}
          title={title}
          className={source === shown ? classes.frame : `${classes.frame} ${classes.waiting}`}
          sandbox={SANDBOX_TOKENS}
          allow={FRAME_FEATURES}
          referrerPolicy="no-referrer"
          onLoad={() => setShown(source)}
        />
      ))}
    </div>
  );
}
