const COMMA = ",";
const SPACE = /[\t\n\f\r ]/g;
const NEITHER_SPACE_NOR_COMMA = /[^\t\n\f\r ,]/g;

/** Yields the URLs of a srcset attribute: HTML standard, 4.8.4.2.2 "Parsing a srcset attribute". */
export function* srcsetUrls(srcset: string): Generator<{ url: string; at: number }> {
  for (let at = search(NEITHER_SPACE_NOR_COMMA, srcset, 0); at < srcset.length; ) {
    const end = search(SPACE, srcset, at);
    const url = withoutTrailingCommas(srcset, at, end);
    yield { url, at };
    const descriptors = at + url.length < end ? end : nextComma(srcset, end);
    at = search(NEITHER_SPACE_NOR_COMMA, srcset, descriptors);
  }
}

function search(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function nextComma(text: string, from: number): number {
  const comma = text.indexOf(COMMA, from);
  return comma === -1 ? text.length : comma;
}

function withoutTrailingCommas(text: string, start: number, from: number): string {
  let end = from;
  while (text.charAt(end - 1) === COMMA) end--;
  return text.slice(start, end);
}
