import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { PICTURE_SANDBOX_TOKENS } from "../../../client/definitions.ts";
import { previewQuery } from "../../api/queries.ts";
import { useFrameProbe } from "../frame-probe/use-frame-probe.ts";
import styles from "./thumbnail-maker.module.css";
import { useThumbnailTaking } from "./use-thumbnail-taking.ts";

/** Milliseconds for a page to load and settle. */
const PATIENCE = 40_000;

interface MakerProps {
  code: string;
  onDone(): void;
}

/** Loads a version unseen, at the size of a desktop window, and saves a picture of it. */
export function ThumbnailMaker({ code, onDone }: MakerProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { data: src, isError } = useQuery(previewQuery(code));
  const isMissing = isError || src === null;
  useThumbnailTaking(useFrameProbe(frame), { code, isWanted: true, onDone });
  useEffect(() => {
    if (isMissing) onDone();
    const timer = setTimeout(onDone, PATIENCE);
    return () => clearTimeout(timer);
  }, [isMissing, onDone]);
  if (src === undefined || src === null) return null;
  return (
    <div className={styles.unseen} inert aria-hidden>
      <iframe
        ref={frame}
        src={src}
        title="Preview"
        sandbox={PICTURE_SANDBOX_TOKENS}
        tabIndex={-1}
        className={styles.frame}
      />
    </div>
  );
}
