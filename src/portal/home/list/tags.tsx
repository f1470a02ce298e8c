import type { Item } from "../slots.ts";
import styles from "./list.module.css";

const GAP = 4;
/** The padding of a tag, and the room for "+12". */
const PADDING = 14;
const REST = 30;

/** Returns a function that measures texts in the font of tags. */
function createMeasure() {
  const known = new Map<string, number>();
  let context: CanvasRenderingContext2D | null | undefined;
  return (text: string): number => {
    let width = known.get(text);
    if (width === undefined) {
      context ??= document.createElement("canvas").getContext("2d");
      if (context === null) return text.length * 8;
      context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      width = Math.ceil(context.measureText(text).width) + 1;
      known.set(text, width);
    }
    return width;
  };
}

const measure = createMeasure();

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
