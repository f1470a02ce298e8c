import type { Block } from "../blocks/block.ts";
import type { Change } from "./change.ts";

export interface Summary {
  /** One line for people, such as "3 numbers, 1 row added, chart 2 changed". */
  readonly sentence: string;
  readonly total: number;
}

/** Charts or images that are named by their place in the page; more are counted. */
const MAX_NAMED = 2;

/** Returns the changes in one line. */
export function summarize(changes: readonly Change[], after: readonly Block[]): Summary {
  const of = (...kinds: Change["kind"][]) => changes.filter(({ kind }) => kinds.includes(kind));
  const isNumber = ({ kind, difference }: Change) => kind === "number" || (kind === "cell" && difference !== null);
  const numbers = changes.filter(isNumber).length;
  const parts = [
    counted(numbers, "number"),
    counted(of("cell").filter((change) => !isNumber(change)).length, "cell"),
    counted(of("row_added").length, "row", "added"),
    counted(of("row_removed").length, "row", "removed"),
    counted(of("row_moved").length, "row", "moved"),
    counted(of("rows_sorted").length, "table", "sorted"),
    counted(of("column_added").length, "column", "added"),
    counted(of("column_removed").length, "column", "removed"),
    named(of("chart"), "chart", after),
    named(of("image"), "image", after),
    counted(new Set(of("text").map(({ newPlace }) => newPlace?.block)).size, "text", "changed"),
    ...(["added", "removed", "moved"] as const).flatMap((what) => blocks(of(`block_${what}`), what)),
  ].filter((part) => part !== "");
  return { sentence: parts.join(", ") || "No changes", total: changes.length };
}

function counted(count: number, noun: string, what = ""): string {
  if (count === 0) return "";
  return `${count} ${noun}${count === 1 ? "" : "s"}${what === "" ? "" : ` ${what}`}`;
}

function blocks(changes: readonly Change[], what: string): string[] {
  const counts = new Map<string, number>();
  for (const { block } of changes) {
    const noun = block === "item" ? "list item" : block === "code" ? "code block" : block;
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  return [...counts].map(([noun, count]) => counted(count, noun, what));
}

function named(changes: readonly Change[], noun: "chart" | "image", after: readonly Block[]): string {
  const places = [...new Set(changes.map(({ newPlace }) => newPlace?.block ?? -1))];
  if (places.length > MAX_NAMED || places.length === 0) return counted(places.length, noun, "changed");
  const all = after.flatMap(({ kind }, index) => (kind === noun ? [index] : []));
  if (all.length === 1) return `${noun} changed`;
  return places.map((place) => `${noun} ${all.indexOf(place) + 1} changed`).join(", ");
}
