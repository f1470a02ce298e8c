import {
  attributeNameEnd,
  BANG,
  commentEnd,
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isTagNameEnd,
  QUESTION,
  SINGLE_QUOTE,
  skipSeparators,
  skipSpace,
  unquotedValueEnd,
} from "../document/lexing.ts";
import { startsWithName } from "../document/name-table.ts";

const LESS = 60;

/**
 * Where in a document a script can be put so that it runs before all others and changes nothing else: behind the doctype
 * and the tags of `html` and `head`, as far as the document begins with them, and else at the beginning. Follows the
 * HTML standard, 13.2.6.4.1 "initial" to 13.2.6.4.3 "before head", where more of the same means nothing. What is not
 * closed is not passed.
 */
export function insertionPoint(html: string): number {
  let point = 0;
  for (let end: number | undefined = 0; end !== undefined; ) {
    point = end;
    const start = skipSpaceAndComments(html, point);
    end = doctypeEnd(html, start) ?? tagEnd("html", html, start);
  }
  return tagEnd("head", html, skipSpaceAndComments(html, point)) ?? point;
}

/** Undefined where there is none. */
type Read = (html: string, at: number) => number | undefined;

function skipSpaceAndComments(html: string, from: number): number {
  let at = skipSpace(html, from);
  for (let end = anyCommentEnd(html, at); end !== undefined; end = anyCommentEnd(html, at)) at = skipSpace(html, end);
  return at;
}

const anyCommentEnd: Read = (html, at) => {
  if (html.charCodeAt(at) !== LESS || doctypeEnd(html, at) !== undefined) return undefined;
  const code = html.charCodeAt(at + 1);
  if (code !== BANG && code !== QUESTION) return undefined;
  const isComment = code === BANG && html.charCodeAt(at + 2) === DASH && html.charCodeAt(at + 3) === DASH;
  const end = isComment ? commentEnd(html, at + 4) : html.indexOf(">", at) + 1;
  return end > 0 && html.charCodeAt(end - 1) === GREATER ? end : undefined;
};

const doctypeEnd: Read = (html, at) => {
  if (html.charCodeAt(at) !== LESS || html.charCodeAt(at + 1) !== BANG) return undefined;
  if (!startsWithName(html, at + 2, "doctype")) return undefined;
  const end = html.indexOf(">", at) + 1;
  return end === 0 ? undefined : end;
};

function tagEnd(name: string, html: string, at: number): number | undefined {
  const nameEnd = at + 1 + name.length;
  if (html.charCodeAt(at) !== LESS || !startsWithName(html, at + 1, name)) return undefined;
  return isTagNameEnd(html.charCodeAt(nameEnd)) ? attributesEnd(html, nameEnd) : undefined;
}

function attributesEnd(html: string, from: number): number | undefined {
  let at = from;
  while (at < html.length) {
    const start = skipSeparators(html, at);
    if (html.charCodeAt(start) === GREATER) return start + 1;
    const end = skipSpace(html, attributeNameEnd(html, start));
    at = html.charCodeAt(end) === EQUALS ? valueEnd(html, skipSpace(html, end + 1)) : end;
  }
  return undefined;
}

function valueEnd(html: string, at: number): number {
  const quote = html.charCodeAt(at);
  if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return unquotedValueEnd(html, at);
  const end = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", at + 1);
  return end === -1 ? html.length : end + 1;
}
