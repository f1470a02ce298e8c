import {
  type PaintStyle,
  type PlacedAnchor,
  REVIEW_LIMITS,
  type ReviewMessage,
  type ReviewRequest,
} from "../../../contract/bridge/review.ts";
import type { Anchor, ElementAnchor, TextAnchor } from "../../../html/anchors/anchor.ts";
import { readReviewMessage } from "./frame-messages.ts";

interface Listener {
  ready(): void;
  /** Comments on parts of this page aren't possible: its policy forbids it, or it sent what the bridge never sends. */
  failed(): void;
  placed(placed: readonly PlacedAnchor[]): void;
  chosen(chosen: { anchor: TextAnchor | ElementAnchor; isPicked: boolean; top: number } | undefined): void;
  pressed(id: number): void;
  escaped(): void;
}

/** What a framed report shows of its comments. */
export interface ReviewFrame {
  show(anchors: { id: number; anchor: Anchor }[], style?: PaintStyle): void;
  emphasize(id: number | null): void;
  reveal(id: number): void;
  pick(isOn: boolean): void;
  /** Leaves the report as it was. */
  stop(): void;
}

/**
 * Starts a review of a framed page. `open` passes the page's bridge a port. All that comes back is the page's own claim, which its
 * scripts can forge: it is checked, bounded and limited in its rate, and the port is closed at the first message that breaks a rule.
 * The page learns anchors, which are texts of reports, and nothing of the comments or of who reads.
 */
export function openReview(open: (port: MessagePort) => void, listener: Listener): ReviewFrame {
  const { port1: port, port2: theirs } = new MessageChannel();
  let tokens: number = REVIEW_LIMITS.messagesAtOnce;
  let refilled = performance.now();
  const known = new Set<number>();
  let shownStyle: PaintStyle | undefined;

  function mayHear(): boolean {
    const now = performance.now();
    const gained = ((now - refilled) / 1_000) * REVIEW_LIMITS.messagesPerSecond;
    tokens = Math.min(REVIEW_LIMITS.messagesAtOnce, tokens + gained);
    refilled = now;
    return tokens-- >= 1;
  }

  function fail(): void {
    port.close();
    listener.failed();
  }

  function hear(message: ReviewMessage): void {
    if (message.kind === "ready") listener.ready();
    else if (message.kind === "failed") fail();
    else if (message.kind === "placed") listener.placed(message.placed.filter(({ id }) => known.has(id)));
    else if (message.kind === "pressed") known.has(message.id) && listener.pressed(message.id);
    else if (message.kind === "escaped") listener.escaped();
    else {
      const { anchor, isPicked, top } = message;
      listener.chosen(anchor === null ? undefined : { anchor, isPicked, top });
    }
  }

  port.onmessage = ({ data }) => {
    const message = mayHear() ? readReviewMessage(data) : undefined;
    if (message === undefined) fail();
    else hear(message);
  };

  const send = (request: ReviewRequest): void => port.postMessage(request);
  const pick = (isOn: boolean): void => send({ kind: "pick", isOn });
  const show: ReviewFrame["show"] = (anchors, style) => {
    known.clear();
    for (const { id } of anchors) known.add(id);
    shownStyle = style;
    send({ kind: "anchors", anchors: anchors.slice(0, REVIEW_LIMITS.anchors), ...(style && { style }) });
  };
  open(theirs);

  return {
    show,
    emphasize: (id) => send({ kind: "emphasize", id }),
    reveal: (id) => send({ kind: "reveal", id }),
    pick,
    stop() {
      pick(false);
      show([], shownStyle);
      port.close();
    },
  };
}
