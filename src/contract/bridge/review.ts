import type { Anchor, ElementAnchor, Place, TextAnchor } from "../../html/anchors/anchor.ts";

/** Limits of what a framed page may send for a review, each far above what an honest page needs. */
export const REVIEW_LIMITS = {
  /** Anchors on one page. */
  anchors: 2_000,
  /** Characters of an anchor as JSON. */
  anchorCharacters: 8_192,
  /** Messages at once, and for each second after them. */
  messagesAtOnce: 60,
  messagesPerSecond: 30,
} as const;

/** What anchors stand for. */
export type PaintStyle = "comment" | "change";

/** What the page around a framed report asks of the bridge, over the port that `openReview` brings. */
export type ReviewRequest =
  /** Replaces the anchors that the page shows. Changes are painted otherwise than comments. */
  | { kind: "anchors"; anchors: { id: number; anchor: Anchor }[]; style?: PaintStyle }
  /** Emphasizes one of them, or none. */
  | { kind: "emphasize"; id: number | null }
  | { kind: "reveal"; id: number }
  /** Lets the reader choose an element with the next click. */
  | { kind: "pick"; isOn: boolean };

/** Where an anchor is: how it fits, and its distance from the top of the page in CSS pixels, or null if it isn't visible. */
export interface PlacedAnchor {
  id: number;
  place: Place;
  top: number | null;
}

/** What the bridge answers. The page's own scripts can forge all of it. */
export type ReviewMessage =
  | { kind: "ready" }
  /** The report's own policy keeps the rest of the bridge from loading. */
  | { kind: "failed" }
  | { kind: "placed"; placed: PlacedAnchor[] }
  /** The reader selected text, or chose an element. Null if there is no selection any more. */
  | { kind: "chosen"; anchor: TextAnchor | ElementAnchor | null; isPicked: boolean; top: number }
  /** The reader clicked text that has a thread. */
  | { kind: "pressed"; id: number }
  /** The reader pressed Escape in the page. */
  | { kind: "escaped" };
