import { startsWithName } from "./name-table.ts";

/*
 * Where the pieces of an HTML text end: HTML standard, 13.2.5 "Tokenization". All take the text and the position where the piece
 * begins, look at each character once, and return the end of the text for a piece that is not closed.
 */

export const BANG = 33;
export const DOUBLE_QUOTE = 34;
export const SINGLE_QUOTE = 39;
export const DASH = 45;
export const SLASH = 47;
export const EQUALS = 61;
export const GREATER = 62;
export const QUESTION = 63;
const TAB = 9;
const VERTICAL_TAB = 11;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const CASE_BIT = 0x20;
const LOWER_A = 97;

const SCRIPT_MARK = /<!--|-->|<\/?script[\t\n\f\r />]/gi;

export function isLetter(code: number): boolean {
  return ((code | CASE_BIT) - LOWER_A) >>> 0 < 26;
}

function isSpace(code: number): boolean {
  return code === SPACE || (code <= CARRIAGE_RETURN && code >= TAB && code !== VERTICAL_TAB);
}

export function isTagNameEnd(code: number): boolean {
  return code <= GREATER && (code === GREATER || code === SLASH || isSpace(code));
}

/** The end of a tag's name. */
export function tagNameEnd(html: string, from: number): number {
  let at = from;
  while (at < html.length && !isTagNameEnd(html.charCodeAt(at))) at++;
  return at;
}

/** The end of an attribute's name; a "=" that comes first belongs to it. */
export function attributeNameEnd(html: string, from: number): number {
  let at = from + 1;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === EQUALS || isTagNameEnd(code)) break;
    at++;
  }
  return at;
}

/** Whether the name of an attribute that begins here is one of an event handler, such as `onclick`. */
export function startsHandlerName(html: string, at: number): boolean {
  return startsWithName(html, at, "on") && isLetter(html.charCodeAt(at + 2));
}

export function unquotedValueEnd(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === GREATER || isSpace(code)) break;
    at++;
  }
  return at;
}

export function skipSpace(html: string, from: number): number {
  let at = from;
  while (isSpace(html.charCodeAt(at))) at++;
  return at;
}

/** Skips what stands between attributes. */
export function skipSeparators(html: string, from: number): number {
  let at = from;
  for (;;) {
    const code = html.charCodeAt(at);
    if (code !== SLASH && !isSpace(code)) return at;
    at++;
  }
}

/** The end of the first `mark`. */
export function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** The end of a comment whose text begins at `from`. */
export function commentEnd(html: string, from: number): number {
  if (html.charCodeAt(from) === GREATER) return from + 1;
  if (html.startsWith("->", from)) return from + 2;
  for (let dash = html.indexOf("--", from); dash !== -1; dash = html.indexOf("--", dash + 1)) {
    const code = html.charCodeAt(dash + 2);
    if (code === GREATER) return dash + 3;
    if (code === BANG && html.charCodeAt(dash + 3) === GREATER) return dash + 4;
  }
  return html.length;
}

/** Where the end tag of an element that holds text alone begins. */
export function rawTextEnd(html: string, name: string, from: number): number {
  for (let end = html.indexOf("</", from); end !== -1; end = html.indexOf("</", end + 2)) {
    const nameAt = end + 2;
    if (startsWithName(html, nameAt, name) && isTagNameEnd(html.charCodeAt(nameAt + name.length))) return end;
  }
  return html.length;
}

/** Where the end tag of a script begins. */
export function scriptEnd(html: string, from: number): number {
  const end = rawTextEnd(html, "script", from);
  return html.slice(from, end).includes("<!--") ? escapedScriptEnd(html, from) : end;
}

type ScriptState = "plain" | "escaped" | "inner";

/** "Script data escaped state": behind `<!--` and `<script`, an end tag closes that inner script only. */
function escapedScriptEnd(html: string, from: number): number {
  let state: ScriptState = "plain";
  SCRIPT_MARK.lastIndex = from;
  for (let found = SCRIPT_MARK.exec(html); found !== null; found = SCRIPT_MARK.exec(html)) {
    const mark = found[0];
    if (mark.startsWith("</") && state !== "inner") return found.index;
    // The dashes of "<!-->" open and close.
    if (mark === "<!--") SCRIPT_MARK.lastIndex = found.index + 2;
    state = nextScriptState(state, mark);
  }
  return html.length;
}

function nextScriptState(state: ScriptState, mark: string): ScriptState {
  if (mark === "-->") return "plain";
  if (mark.startsWith("</")) return "escaped";
  const opening = mark === "<!--" ? "plain" : "escaped";
  if (state !== opening) return state;
  return mark === "<!--" ? "escaped" : "inner";
}
