import { useElementSize } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, type ReactNode, type Ref, useRef, useState } from "react";
import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../../client/definitions.ts";
import { reportQuery } from "../../api/queries.ts";
import { useFrameProbe } from "../../shared/frame-probe/use-frame-probe.ts";
import { Time } from "../../shared/time.tsx";
import { usePreviewUrl } from "../preview/use-preview-url.ts";
import type { Report } from "../types.ts";
import classes from "./compare.module.css";
import { Divider } from "./divider.tsx";
import { useLinkedScrolling } from "./use-linked-scrolling.ts";

/** Pixels for which most reports are made. */
const DESIGN_WIDTH = 1024;
/** Pixels of a phone; in less, pages are shown as on one. */
const PHONE_WIDTH = 390;

interface ComparePagesProps {
  before: Report;
  after: Report;
  /** Whether they lie above each other instead of side by side. */
  isOverlay: boolean;
}

/** Shows two versions with linked scrolling. */
export function ComparePages({ before, after, isOverlay }: ComparePagesProps) {
  const one = useRef<HTMLIFrameElement>(null);
  const two = useRef<HTMLIFrameElement>(null);
  useLinkedScrolling(useFrameProbe(one), useFrameProbe(two));
  const [split, setSplit] = useState(50);
  const [isDragging, setDragging] = useState(false);
  const style: CSSProperties & Record<`--${string}`, string> = { "--split": `${split}%` };
  return (
    <div
      className={classes.pages}
      data-overlay={isOverlay || undefined}
      data-dragging={isDragging || undefined}
      style={style}
    >
      <Page report={before} frameRef={one} isWhole={isOverlay} />
      <Page report={after} frameRef={two} isWhole={isOverlay} />
      {isOverlay && <Divider value={split} onChange={setSplit} onDrag={setDragging} />}
    </div>
  );
}

interface PageProps {
  report: Report;
  frameRef: Ref<HTMLIFrameElement>;
  /** Whether the page has all of the width, so that it needn't be made smaller. */
  isWhole: boolean;
}

function Page({ report, frameRef, isWhole }: PageProps) {
  const { dataUpdatedAt } = useQuery(reportQuery(report.code));
  const src = usePreviewUrl(report, dataUpdatedAt);
  const label = `Version ${report.version_no}`;
  return (
    <section aria-label={label} className={classes.page}>
      <p className={classes.caption}>
        <b>{label}</b> <Time at={report.created_at} />
        {report.note !== null && (
          <span dir="auto" className={classes.note}>
            {" "}
            · {report.note}
          </span>
        )}
      </p>
      {src === null ? (
        <p className={classes.caption}>This version can't be shown here.</p>
      ) : (
        <Scaled isWhole={isWhole}>
          {(size) => (
            <iframe
              ref={frameRef}
              src={src}
              title={`${label}: ${report.title}`}
              className={classes.frame}
              style={size}
              sandbox={SANDBOX_TOKENS}
              allow={FRAME_FEATURES}
              referrerPolicy="no-referrer"
            />
          )}
        </Scaled>
      )}
    </section>
  );
}

/** Makes what it contains as small as it has to be to fit. */
function Scaled({ isWhole, children }: { isWhole: boolean; children: (size: CSSProperties) => ReactNode }) {
  const { ref, width, height } = useElementSize();
  const designed = isWhole ? width : designedWidth(width);
  const scale = width / designed;
  const size = { width: designed, height: height / scale, transform: `scale(${scale})` };
  return (
    <div className={classes.fit} ref={ref}>
      {width > 0 && children(size)}
    </div>
  );
}

/** Returns the width that a page is laid out for to be shown in `width` pixels. */
const designedWidth = (width: number): number => Math.max(width, width < PHONE_WIDTH ? PHONE_WIDTH : DESIGN_WIDTH);
