import type { Item } from "../slots.ts";
import styles from "./list.module.css";

const GAP = 4;
/** The padding of a tag, and the room for "+12". */
const PADDING = 14;
const REST = 30;

const NARROW = /[fijlrtI.,:;'|!()[\]\s-]/;
const WIDE = /[mwMW@%]/;
const UPPER = /\p{Lu}/u;
const ASCII = /[ -~]/;

/** Returns at least the width of a text in pixels; measuring it would cost a layout before the first paint. */
function measure(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!ASCII.test(character)) width += 12;
    else if (NARROW.test(character)) width += 4.6;
    else if (WIDE.test(character)) width += 10.8;
    else width += UPPER.test(character) ? 8.4 : 6.9;
  }
  return Math.ceil(width);
}

/** Returns how many tags fit as a whole, with the number of the others after them. */
function countFitting(titles: readonly string[], width: number): number {
  let used = 0;
  for (const [index, title] of titles.entries()) {
    used += measure(title) + PADDING + (index > 0 ? GAP : 0);
    const isLast = index === titles.length - 1;
    if (used + (isLast ? 0 : REST) > width) return index;
  }
  return titles.length;
}

/** The tags that fit, never cut off, and how many there are besides. */
export function Tags({ tags, width }: Pick<Item, "tags"> & { width: number }) {
  if (tags.length === 0) return null;
  const titles = tags.map(({ title }) => title);
  const count = countFitting(titles, width);
  const rest = tags.length - count;
  return (
    <span className={styles.tags} title={titles.join(", ")}>
      {tags.slice(0, count).map(({ id, title }) => (
        <span key={id} className={styles.tag}>
          {title}
        </span>
      ))}
      {rest > 0 && (
        <span className={styles.more}>{count === 0 ? (rest === 1 ? "1 tag" : `${rest} tags`) : `+${rest}`}</span>
      )}
    </span>
  );
}
