import { createHtmlReader } from "./tokens.ts";

export interface Point {
  /** The position in the text. */
  point: number;
  /** Whether the text decides the point, whatever follows it. */
  isCertain: boolean;
}

/**
 * Returns where a script runs before all others and changes nothing else: after the doctype and the start tags of `html` and
 * `head` that begin the document, or else at its start. Repeated ones have no effect (HTML standard, 13.2.6.4.1 to
 * 13.2.6.4.3).
 */
export const insertionPoint = (html: string): number => findPoint(html).point;

/** Returns the insertion point of a document that starts with this text. */
export function findPoint(html: string): Point {
  let point = 0;
  let isCertain = false;
  const reader = createHtmlReader({
    doctype(end) {
      point = end;
    },
    startTag({ name, end }) {
      if (name === "html" || name === "head") point = end;
      if (name !== "html") stop();
    },
    endTag: stop,
    text: (text) => /[^\t\n\f\r ]/.test(text) && stop(),
  });
  function stop(): void {
    isCertain = true;
    reader.stop();
  }
  reader.push(html);
  return { point, isCertain };
}
