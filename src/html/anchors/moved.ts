import type { TextAnchor } from "./anchor.ts";

/** Searches through the whole page, at most: each takes about a millisecond for three megabytes. */
const SEARCHES = 8;

/**
 * Finds texts that are as they were, surroundings included, where they were or as far away as their neighbors, as all are below an
 * added paragraph. Returns how far each has moved; undefined for those that have to be looked for. Yields between parts of the work.
 */
export function* findMoved(text: string, anchors: readonly TextAnchor[]): Generator<void, (number | undefined)[]> {
  const order = [...anchors.keys()].sort((one, other) => startOf(anchors[one]) - startOf(anchors[other]));
  const inPlace = anchors.map((anchor): number | undefined => (isMovedBy(0, anchor, text) ? 0 : undefined));
  const [ahead, back] = [[...inPlace], [...inPlace]];
  let searches = 0;
  let shift: number | undefined;
  for (const index of order) {
    const anchor = anchors[index];
    if (anchor === undefined) continue;
    if (shift !== undefined && isMovedBy(shift, anchor, text)) ahead[index] ??= shift;
    if (ahead[index] === undefined && searches++ < SEARCHES) {
      ahead[index] = searchFor(anchor, text);
      yield;
    }
    shift = ahead[index] ?? shift;
  }
  for (const index of order.reverse()) {
    const anchor = anchors[index];
    if (anchor !== undefined && shift !== undefined && isMovedBy(shift, anchor, text)) back[index] ??= shift;
    shift = back[index] ?? ahead[index] ?? shift;
  }
  return anchors.map((_, index) => agreed(ahead[index], back[index]));
}

const startOf = (anchor: TextAnchor | undefined): number => anchor?.start ?? 0;

/** Returns whether a place so many characters further has the same text with the same surroundings. */
function isMovedBy(shift: number, { prefix, quote, suffix, start }: TextAnchor, text: string): boolean {
  const at = start - prefix.length;
  return at >= 0 && at + shift >= 0 && text.startsWith(prefix + quote + suffix, at + shift);
}

/** Returns how far a text has moved that is in only one place. */
function searchFor({ prefix, quote, suffix, start }: TextAnchor, text: string): number | undefined {
  const whole = prefix + quote + suffix;
  const at = text.indexOf(whole);
  return at < 0 || text.indexOf(whole, at + 1) >= 0 ? undefined : at + prefix.length - start;
}

/** Of what both neighbors say. If it differs, two places have the same text. */
const agreed = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined || one === other ? (one ?? other) : undefined;
