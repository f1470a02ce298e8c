import type { Anchor, Resolution, TextAnchor } from "./anchor.ts";
import { placeElement, textOfBlock } from "./elements.ts";
import type { AnchorPage } from "./page.ts";
import { findSeeds } from "./seeds.ts";
import { placeText } from "./text.ts";

/**
 * Resolves anchors in a page that may be another version of theirs. Prefers finding no place to a wrong one. Yields between parts
 * of the work, none of which takes long.
 */
export function* resolveInSteps(anchors: readonly Anchor[], page: AnchorPage): Generator<void, Resolution[]> {
  const texts = anchors.map(textIn);
  const starts = yield* findSeeds(
    page.text,
    texts.filter((text) => text !== undefined),
  );
  const resolutions: Resolution[] = [];
  let next = 0;
  for (const [index, anchor] of anchors.entries()) {
    const text = texts[index];
    const found = text === undefined ? placeOther(anchor, page) : placeText(text, page, starts[next++] ?? []);
    resolutions.push(found ?? { place: page.isPartial ? "unknown" : "gone" });
    yield;
  }
  return resolutions;
}

/** Resolves anchors without a pause. */
export function resolveAnchors(anchors: readonly Anchor[], page: AnchorPage): Resolution[] {
  const steps = resolveInSteps(anchors, page);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Resolves one anchor. */
export const resolveAnchor = (anchor: Anchor, page: AnchorPage): Resolution =>
  resolveAnchors([anchor], page)[0] ?? { place: "unknown" };

function textIn(anchor: Anchor): TextAnchor | undefined {
  if (anchor.kind === "text") return anchor;
  const isBlock = anchor.kind === "element" && anchor.element === "block";
  return isBlock && anchor.fingerprint.text !== undefined ? textOfBlock(anchor) : undefined;
}

const placeOther = (anchor: Anchor, page: AnchorPage): Resolution | undefined =>
  anchor.kind === "element" ? placeElement(anchor, page) : { place: "exact" };
