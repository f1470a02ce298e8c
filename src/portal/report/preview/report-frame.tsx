import { Skeleton } from "@mantine/core";
import { type Ref, useEffect, useState } from "react";
import classes from "../report.module.css";

/** The frame's sandbox; the content host sends the same policy. */
const SANDBOX =
  "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";
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
          sandbox={SANDBOX}
          allow="fullscreen *; clipboard-write *"
          referrerPolicy="no-referrer"
          onLoad={() => setShown(source)}
        />
      ))}
    </div>
  );
}
