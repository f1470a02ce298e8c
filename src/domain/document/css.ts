import type { Budget } from "./budget.ts";
import { MAX_REFERENCE_LENGTH } from "./references.ts";

/** `at` is where the reference begins in the text. */
type Report = (url: string, at: number) => void;

const REFERENCE = /url\(|@import/i;
const MARK = /\/\*|["'\\]|url\(|@import/gi;
const SPACES = /[\t\n\f\r ]*/y;
const NAME_CHARACTER = /[\w\-\\\u0080-\uFFFF]/;
const NOT_IN_PLAIN_URL = /[\t\n\f\r "'(]/;
const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[\t\n\f\r ])?|\r\n|([\s\S]))/gi;
const LAST_CODE_POINT = 0x10ffff;
const LINE_FEED = 10;
const FORM_FEED = 12;
const CARRIAGE_RETURN = 13;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const CLOSE = 41;
const BACKSLASH = 92;

/**
 * Reports the URLs of `url(…)` and `@import "…"` in their order, in linear time. Comments, strings and escapes are read as CSS
 * Syntax Level 3, section 4.3, says. Throws `OverBudget`.
 */
export function findCssReferences(css: string, report: Report, budget: Budget): void {
  budget.spendText(css.length);
  if (!REFERENCE.test(css)) return;
  for (let at = 0; at < css.length; ) {
    MARK.lastIndex = at;
    const found = MARK.exec(css);
    if (found === null) return;
    budget.spend(1);
    at = afterMark(css, found[0].toLowerCase(), found.index, report);
  }
}

function afterMark(css: string, mark: string, index: number, report: Report): number {
  const end = index + mark.length;
  switch (mark) {
    case "/*":
      return afterComment(css, end);
    case "\\":
      return end + 1;
    case "url(":
      return NAME_CHARACTER.test(css.charAt(index - 1)) ? end : afterUrl(css, skipSpaces(css, end), report);
    case "@import":
      return afterImport(css, skipSpacesAndComments(css, end), report);
    default:
      return pieceEnd(css, end, css.charCodeAt(index)) + 1;
  }
}

function afterComment(css: string, from: number): number {
  const end = css.indexOf("*/", from);
  return end === -1 ? css.length : end + 2;
}

function skipSpaces(css: string, from: number): number {
  SPACES.lastIndex = from;
  SPACES.test(css);
  return SPACES.lastIndex;
}

function skipSpacesAndComments(css: string, from: number): number {
  let at = skipSpaces(css, from);
  while (css.startsWith("/*", at)) at = skipSpaces(css, afterComment(css, at + 2));
  return at;
}

function afterUrl(css: string, at: number, report: Report): number {
  return isQuote(css.charCodeAt(at)) ? afterString(css, at, report) : afterPlainUrl(css, at, report);
}

function afterImport(css: string, at: number, report: Report): number {
  return isQuote(css.charCodeAt(at)) ? afterString(css, at, report) : at;
}

function afterString(css: string, quoteAt: number, report: Report): number {
  const end = pieceEnd(css, quoteAt + 1, css.charCodeAt(quoteAt));
  // A string that a line break cuts off is an error and no string.
  const isBroken = isNewline(css.charCodeAt(end));
  const isLong = end - quoteAt > MAX_REFERENCE_LENGTH;
  if (!isBroken && !isLong) report(decodeEscapes(css.slice(quoteAt + 1, end)), quoteAt);
  return end + 1;
}

function afterPlainUrl(css: string, from: number, report: Report): number {
  const end = pieceEnd(css, from, CLOSE);
  const isLong = end - from > MAX_REFERENCE_LENGTH;
  const url = isLong ? "" : css.slice(from, end).trim();
  const isBroken = NOT_IN_PLAIN_URL.test(url.replace(ESCAPE, ""));
  if (!isLong && !isBroken) report(decodeEscapes(url), from);
  return end + 1;
}

/** The first `endCode` that is not escaped, or the end of the text; a line break, too, ends a string. */
function pieceEnd(css: string, from: number, endCode: number): number {
  let at = from;
  while (at < css.length) {
    const code = css.charCodeAt(at);
    if (code === endCode || (endCode !== CLOSE && isNewline(code))) return at;
    at += code === BACKSLASH ? escapeLength(css, at) : 1;
  }
  return css.length;
}

function escapeLength(css: string, at: number): number {
  return css.startsWith("\r\n", at + 1) ? 3 : 2;
}

function decodeEscapes(text: string): string {
  return text.includes("\\") ? text.replace(ESCAPE, decodeEscape) : text;
}

function decodeEscape(_escape: string, hex: string | undefined, character: string | undefined): string {
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
  // An escaped line break joins two lines.
  return character === undefined || isNewline(character.charCodeAt(0)) ? "" : character;
}

function characterOf(codePoint: number): string {
  const isValid = codePoint > 0 && codePoint <= LAST_CODE_POINT && (codePoint < 0xd800 || codePoint > 0xdfff);
  return isValid ? String.fromCodePoint(codePoint) : "\uFFFD";
}

function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

function isNewline(code: number): boolean {
  return code === LINE_FEED || code === FORM_FEED || code === CARRIAGE_RETURN;
}
