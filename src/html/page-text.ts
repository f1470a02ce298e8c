import { createTextExtractor, type TextSink } from "./text.ts";

const PARAGRAPHS = new Set(["p", "table", "ul", "ol", "dl", "pre", "blockquote", "figure", "section", "article", "hr"]);
const LINES = new Set(
  "address aside body br caption center dd details dialog div dt fieldset figcaption footer form header html legend li main nav option summary tbody text tfoot thead tr".split(
    " ",
  ),
);
const CELLS = new Set(["td", "th"]);
const HEADING = /^h([1-6])$/;

/** Returns a sink that writes the text of a page: headings after `#`, list items after `-`, cells separated by `|`. */
export function createPageText(write: (text: string) => void): TextSink {
  /** Line breaks and a space to write before the next text. */
  let breaks = 0;
  let hasSpace = false;
  let isLineStart = true;
  let isAtStart = true;
  let mark = "";
  let preformatted = 0;

  function put(text: string): void {
    const before = breaks > 0 && !isAtStart ? "\n".repeat(breaks) : hasSpace && !isLineStart ? " " : "";
    write(before + mark + text);
    [breaks, hasSpace, isLineStart, isAtStart, mark] = [0, false, false, false, ""];
  }

  function breakLine(count: number): void {
    breaks = Math.max(breaks, count);
    isLineStart = true;
    hasSpace = false;
    mark = "";
  }

  function startElement(name: string): void {
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined) {
      breakLine(2);
      mark = `${"#".repeat(Number(level))} `;
    } else if (name === "li") mark = "- ";
    else if (CELLS.has(name) && !isLineStart) put(hasSpace ? "| " : " | ");
  }

  return {
    text(value) {
      if (preformatted > 0) {
        if (value !== "") put(value);
        return;
      }
      const words = value.replace(/\s+/g, " ");
      if (words.startsWith(" ")) hasSpace = true;
      const trimmed = words.trim();
      if (trimmed === "") return;
      put(trimmed);
      hasSpace = words.endsWith(" ");
    },
    tag(name, isOpening) {
      if (PARAGRAPHS.has(name) || HEADING.test(name)) breakLine(2);
      else if (LINES.has(name)) breakLine(1);
      if (name === "pre") preformatted = Math.max(0, preformatted + (isOpening ? 1 : -1));
      if (isOpening) startElement(name);
    },
  };
}

/** Returns the visible text of a whole page. */
export function visibleText(html: string): string {
  const pieces: string[] = [];
  const extractor = createTextExtractor(createPageText((text) => pieces.push(text)));
  extractor.push(html);
  extractor.end();
  return `${pieces.join("")}\n`;
}
