import { Skeleton } from "@mantine/core";
import { type Ref, useEffect, useRef, useState } from "react";
import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../../client/definitions.ts";
import { type FrameProbe, useFrameProbe } from "../../shared/frame-probe/use-frame-probe.ts";
import { useThumbnailTaking } from "../../shared/thumbnails/use-thumbnail-taking.ts";
import { NO_TROUBLE, type Trouble } from "../problems/trouble.ts";
import classes from "../report.module.css";
import { useNoteSeen } from "../seen/use-note-seen.ts";
import type { Report } from "../types.ts";

/** Milliseconds after which a page is shown even if it is still loading. */
const LOAD_TIMEOUT = 8_000;

interface ReportFrameProps {
  src: string;
  title: string;
  report: Report;
  ref?: Ref<HTMLDivElement>;
  /** Called with what the shown page says about itself. */
  onTrouble(trouble: Trouble): void;
  /** Called with what listens to the shown page. */
  onProbe(probe: FrameProbe | undefined): void;
}

/** Frames a published page. The next page loads unseen behind the visible one and replaces it when ready. */
export function ReportFrame({ src, title, report, ref, onTrouble, onProbe }: ReportFrameProps) {
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
        <Page
          key={source}
          src={source}
          title={title}
          report={report}
          isShown={source === shown}
          onLoad={() => setShown(source)}
          onTrouble={onTrouble}
          onProbe={onProbe}
        />
      ))}
    </div>
  );
}

interface PageProps {
  src: string;
  title: string;
  report: Report;
  isShown: boolean;
  onLoad(): void;
  onTrouble(trouble: Trouble): void;
  onProbe(probe: FrameProbe | undefined): void;
}

function Page({ src, title, report, isShown, onLoad, onTrouble, onProbe }: PageProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const probe = useFrameProbe(frame);
  // The report changes before the frame of the next one appears.
  const [{ code, owner_slug: owner, thumbnail_url: thumbnail }] = useState(report);
  useNoteSeen({ code, owner_slug: owner }, isShown);
  useThumbnailTaking(probe, { code, isWanted: thumbnail === null });
  const { findings, problem } = probe;
  useEffect(() => {
    if (!isShown) return;
    onTrouble({ findings, problem });
    return () => onTrouble(NO_TROUBLE);
  }, [isShown, findings, problem, onTrouble]);
  const { onConnected, openReview, onScroll } = probe;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the probe also changes with each finding
  useEffect(() => {
    if (!isShown) return;
    onProbe(probe);
    return () => onProbe(undefined);
  }, [isShown, onProbe, onConnected, openReview, onScroll]);
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
