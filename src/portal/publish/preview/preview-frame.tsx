import { Skeleton, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { FRAME_FEATURES, PREVIEW_PATH, type PreviewNews, SANDBOX_TOKENS } from "../../../client/definitions.ts";
import type { Preview } from "./build.ts";
import styles from "./preview.module.css";

/** Milliseconds after which the content host counts as out of reach. */
const START_TIMEOUT = 8_000;

/** What a previewed page ran into. */
export type Trouble = Extract<PreviewNews, { text: string }>;

interface Props {
  preview: Preview;
  title: string;
  contentUrl: string;
  onTrouble(trouble: Trouble): void;
}

/** Shows a report that isn't published yet, with the rights of a published one. */
export function PreviewFrame({ preview, title, contentUrl, onTrouble }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const isSent = useRef(false);
  const [isShown, setShown] = useState(false);
  const isLate = useLateness() && !isShown;
  useNews(frame, (news) => (news.kind === "shown" ? setShown(true) : onTrouble(news)));

  /** Runs when the preview page has loaded; the report in it loads later, and may load other pages. */
  function send(): void {
    if (isSent.current) return;
    isSent.current = true;
    const { files, start } = preview;
    // The page's origin is opaque, so no other target is possible. The portal's policy only lets the content host in.
    frame.current?.contentWindow?.postMessage({ files, start }, "*");
  }

  return (
    <div className={styles.stage}>
      {!isShown && !isLate && <Skeleton className={styles.skeleton} height="100%" radius={0} />}
      {isLate && (
        <Text className={styles.notice} size="sm" c="dimmed">
          The preview can't be shown right now. You can publish anyway.
        </Text>
      )}
      <iframe
        ref={frame}
        src={contentUrl + PREVIEW_PATH}
        title={`Preview of ${title}`}
        className={styles.frame}
        sandbox={SANDBOX_TOKENS}
        allow={FRAME_FEATURES}
        referrerPolicy="no-referrer"
        data-shown={isShown || undefined}
        onLoad={send}
      />
    </div>
  );
}

function useLateness(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), START_TIMEOUT);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** Receives what the framed page tells. It is untrusted: any script in the report can send the same. */
function useNews(frame: { current: HTMLIFrameElement | null }, onNews: (news: PreviewNews) => void): void {
  const latest = useRef(onNews);
  latest.current = onNews;
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      const news = source !== null && source === frame.current?.contentWindow ? newsIn(data) : undefined;
      if (news !== undefined) latest.current(news);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [frame]);
}

const MAX_TEXT = 300;

function newsIn(data: unknown): PreviewNews | undefined {
  if (typeof data !== "object" || data === null || !("vitrine" in data) || data.vitrine !== "preview") return undefined;
  const kind = "kind" in data ? data.kind : undefined;
  if (kind === "shown") return { vitrine: "preview", kind };
  const text = "text" in data && typeof data.text === "string" ? data.text.slice(0, MAX_TEXT) : undefined;
  const isTrouble = kind === "storage" || kind === "error";
  return isTrouble && text !== undefined ? { vitrine: "preview", kind, text } : undefined;
}
