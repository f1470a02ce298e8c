import { invalid } from "../../domain/model/failure.ts";
import { JSON_DEPTH, JSON_VALUES } from "../../domain/model/limits.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Throws `Invalid` for JSON that is nested too deeply or has too many values and keys, which can take hundreds of times
 * its size in memory. Checks bytes only; the parser checks the syntax.
 */
export function checkJsonBounds(json: Uint8Array): void {
  let depth = 0;
  let count = 0;
  for (let index = 0; index < json.length; index++) {
    switch (json[index]) {
      case QUOTE:
        index = endOfString(json, index);
        if (index < 0) return;
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        if (++depth > JSON_DEPTH)
          throw invalid(`The request body is nested too deeply. The limit is ${JSON_DEPTH} levels.`);
        count++;
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
        break;
      // Each precedes a value or a key.
      case COMMA:
      case COLON:
        count++;
        break;
    }
    if (count > JSON_VALUES)
      throw invalid(`The request body has too many values and keys. The limit is ${JSON_VALUES}.`);
  }
}

/** Returns the index of the closing quote of the string at `start`, or -1 if it has none. */
function endOfString(json: Uint8Array, start: number): number {
  const quote = json.indexOf(QUOTE, start + 1);
  if (quote < 0 || json[quote - 1] !== BACKSLASH) return quote;
  // The text may consist of escaped quotes. Reading every byte always takes the same time, a search for each quote up to
  // ten times as long.
  for (let index = start + 1; index < json.length; index++) {
    if (json[index] === BACKSLASH) index++;
    else if (json[index] === QUOTE) return index;
  }
  return -1;
}
