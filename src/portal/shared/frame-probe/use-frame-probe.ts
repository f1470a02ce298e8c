import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Pixels, ScrollState } from "../../../client/definitions.ts";
import { connectToFrame } from "../../../look/frame/client/connection.ts";
import type { Distance } from "../../../look/frame/client/wheel.ts";
import { addFinding, type FrameFindings, type FrameProblem, NO_FINDINGS, problemOf } from "./findings.ts";

/**
 * What a framed report says about itself through the bridge that the server adds to previews (`preview_url`,
 * `/api/previews`). Use one probe for each frame:
 *
 *     const frame = useRef<HTMLIFrameElement>(null);
 *     const { findings, problem, scrollTo } = useFrameProbe(frame);
 *     <iframe ref={frame} src={report.preview_url} … />
 *
 * All of it is unverified, because the report's scripts can forge it. Show texts as text, and decide nothing by it but
 * which hint to show.
 */
export interface FrameProbe {
  findings: FrameFindings;
  /** The likely reason why the page doesn't work; undefined if it does, or as long as nothing is known. */
  problem: FrameProblem | undefined;
  /** Calls back whenever the page scrolls or changes its size, and once at first. Returns the function that ends this. */
  onScroll(listener: (state: ScrollState) => void): () => void;
  /** Scrolls the page, in its CSS pixels. */
  scrollTo(place: { left: number; top: number }): void;
  scrollBy(distance: Distance): void;
  /** Calls back with each page that loads in the frame, and at once if one has. Returns the function that ends this. */
  onConnected(listener: () => void): () => void;
  /** Passes the page's bridge a port for messages about comments. */
  openReview(port: MessagePort): void;
  /** Returns the top of the page as a picture; undefined if the browser can't draw it, or takes too long. */
  takePicture(size: { width: number; height: number }): Promise<Pixels | undefined>;
}

/** Milliseconds to wait for a picture. */
const PICTURE_TIMEOUT = 15_000;

/** Listens to the page in a frame. Findings start again when another page loads in it. */
export function useFrameProbe(frame: RefObject<HTMLIFrameElement | null>): FrameProbe {
  const [findings, setFindings] = useState(NO_FINDINGS);
  const connection = useRef<ReturnType<typeof connectToFrame>>(undefined);
  const channel = useMemo(createChannel, []);
  useEffect(() => {
    const opened = connectToFrame(() => frame.current, {
      connected() {
        setFindings(NO_FINDINGS);
        channel.connected();
      },
      heard(message) {
        if (message.kind === "scroll") channel.scrolled(message);
        else if (message.kind === "picture") channel.drawn(message.pixels ?? undefined);
        else setFindings((known) => addFinding(known, message));
      },
    });
    connection.current = opened;
    return () => {
      opened.stop();
      channel.disconnected();
    };
  }, [frame, channel]);
  const actions = useMemo(
    () => ({
      onScroll: channel.onScroll,
      onConnected: channel.onConnected,
      openReview: (port: MessagePort) => connection.current?.send({ kind: "openReview" }, [port]),
      scrollTo: (place: { left: number; top: number }) =>
        connection.current?.send({ kind: "scrollTo", ...place, behavior: "instant" }),
      scrollBy: (distance: Distance) =>
        connection.current?.send({ kind: "scrollBy", ...distance, behavior: "instant" }),
      takePicture(size: { width: number; height: number }) {
        const picture = channel.picture();
        connection.current?.send({ kind: "takePicture", ...size });
        return picture;
      },
    }),
    [channel],
  );
  return useMemo(() => ({ ...actions, findings, problem: problemOf(findings) }), [actions, findings]);
}

/** Creates what passes messages on without rendering. */
function createChannel() {
  const listeners = new Set<(state: ScrollState) => void>();
  const connections = new Set<() => void>();
  let isConnected = false;
  let last: ScrollState | undefined;
  let drawn: (pixels: Pixels | undefined) => void = () => undefined;

  return {
    connected(): void {
      isConnected = true;
      for (const listener of connections) listener();
    },
    disconnected(): void {
      isConnected = false;
    },
    onConnected(listener: () => void): () => void {
      connections.add(listener);
      if (isConnected) listener();
      return () => connections.delete(listener);
    },
    scrolled(state: ScrollState): void {
      last = state;
      for (const listener of listeners) listener(state);
    },
    onScroll(listener: (state: ScrollState) => void): () => void {
      listeners.add(listener);
      if (last !== undefined) listener(last);
      return () => listeners.delete(listener);
    },
    /** Takes a picture that was asked for; others are ignored. */
    drawn: (pixels: Pixels | undefined): void => drawn(pixels),
    picture: (): Promise<Pixels | undefined> =>
      new Promise((resolve) => {
        drawn = resolve;
        setTimeout(resolve, PICTURE_TIMEOUT, undefined);
      }),
  };
}
