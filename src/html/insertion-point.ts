import { createHtmlReader } from "./tokens.ts";

/**
 * Returns where a script runs before all others and changes nothing else: after the doctype and the start tags of `html` and
 * `head` that begin the document, or else at its start. Repeated ones have no effect (HTML standard, 13.2.6.4.1 to
 * 13.2.6.4.3).
 */
export function insertionPoint(html: string): number {
  let point = 0;
  const reader = createHtmlReader({
    doctype(end) {
      point = end;
    },
    startTag({ name, end }) {
      if (name === "html" || name === "head") point = end;
      if (name !== "html") reader.stop();
    },
    endTag: () => reader.stop(),
    text: (text) => /[^\t\n\f\r ]/.test(text) && reader.stop(),
  });
  reader.push(html);
  return point;
}
