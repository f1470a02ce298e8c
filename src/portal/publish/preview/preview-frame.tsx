import { Skeleton, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { FRAME_FEATURES, PREVIEW_PATH, SANDBOX_TOKENS } from "../../../client/definitions.ts";
import type { Preview } from "./build.ts";
import styles from "./preview.module.css";

/** Milliseconds after which the content host counts as out of reach. */
const START_TIMEOUT = 8_000;

/** What a previewed page ran into. */
export interface Trouble {
  kind: "storage" | "error";
  text: string;
}

interface Props {
  preview: Preview;
  title: string;
  contentUrl: string;
  onTrouble(trouble: Trouble): void;
}

type Phase = "starting" | "sent" | "shown";

/** Shows a report that isn't published yet, with the rights of a published one. */
export function PreviewFrame({ preview, title, contentUrl, onTrouble }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [phase, setPhase] = useState<Phase>("starting");
  const isLate = useLateness(phase === "starting");
  useTroubles(frame, onTrouble);

  /** The first load is that of the preview page, the second that of the report in it. */
  function proceed(): void {
    if (phase !== "starting") {
      setPhase("shown");
      return;
    }
    const { files, start } = preview;
    // The page's origin is opaque, so no other target is possible. The portal's policy only lets the content host in.
    frame.current?.contentWindow?.postMessage({ files, start }, "*");
    setPhase("sent");
  }

  return (
    <div className={styles.stage}>
      {phase !== "shown" && !isLate && <Skeleton className={styles.skeleton} height="100%" radius={0} />}
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
        data-shown={phase === "shown" || undefined}
        onLoad={proceed}
      />
    </div>
  );
}

function useLateness(isStarting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isStarting) {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), START_TIMEOUT);
    return () => clearTimeout(timer);
  }, [isStarting]);
  return isLate;
}

/** Receives what the framed page reports. It is untrusted: any script in the report can send the same. */
function useTroubles(frame: { current: HTMLIFrameElement | null }, onTrouble: (trouble: Trouble) => void): void {
  const latest = useRef(onTrouble);
  latest.current = onTrouble;
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      const trouble = source !== null && source === frame.current?.contentWindow ? troubleIn(data) : undefined;
      if (trouble !== undefined) latest.current(trouble);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [frame]);
}

const MAX_TEXT = 300;

function troubleIn(data: unknown): Trouble | undefined {
  if (typeof data !== "object" || data === null || !("vitrine" in data) || data.vitrine !== "preview") return undefined;
  if (!("kind" in data) || !("text" in data) || typeof data.text !== "string") return undefined;
  const { kind, text } = data;
  return kind === "storage" || kind === "error" ? { kind, text: text.slice(0, MAX_TEXT) } : undefined;
}
