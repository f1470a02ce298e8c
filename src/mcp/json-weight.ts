const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,` `:` `[` `{`: each comes with a value. */
const BEFORE_VALUE = new Set([0x2c, 0x3a, 0x5b, 0x7b]);

/**
 * Whether JSON text has more than so many values. To parse very many takes far longer than to pass over them here; what
 * is long because of long texts in it is parsed quickly.
 */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  let count = 0;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] ?? 0;
    if (byte === QUOTE) {
      index = endOfString(json, index);
      if (index < 0) return false;
    } else if (BEFORE_VALUE.has(byte) && ++count > most) return true;
  }
  return false;
}

/** Where the string that starts there has its closing quote; -1 when it has none. */
function endOfString(json: Uint8Array, start: number): number {
  let quote = json.indexOf(QUOTE, start + 1);
  while (quote >= 0 && isEscaped(json, quote, start)) quote = json.indexOf(QUOTE, quote + 1);
  return quote;
}

function isEscaped(json: Uint8Array, index: number, start: number): boolean {
  let first = index;
  while (first - 1 > start && json[first - 1] === BACKSLASH) first--;
  return (index - first) % 2 === 1;
}
