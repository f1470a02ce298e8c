import type { StorageName } from "../warnings/findings.ts";

/** A use and its position. */
export interface WordUse {
  readonly what: StorageName | "serviceWorker" | "SharedWorker";
  readonly at: number;
}

const USE =
  /(?<![\w$.'"`-])(?:(?:window|self|globalThis)\s?\.\s?)?(?:(localStorage|sessionStorage)\b|(document\s?\.\s?cookie)\b|(indexedDB)\s?\.\s?open\b|(caches)\s?\.\s?(?:open|match|keys|has|delete)\b|navigator\s?\.\s?(serviceWorker)\s?\.|new (SharedWorker)\b)/g;
/** The distance before a use in which to look for a `try`. */
const REACH = 3_000;
/** The distance after a use in a `try` at which another use depends on its success. */
const NEAR = 300;
const MAX_USES = 1_000;
const TRY = /\btry\s*$/;
const QUOTE = /["'`]/;

/**
 * Returns uses of storage and workers outside a `try` block in a script that is too long to parse. Matches words in linear
 * time, and prefers missing a use to a false alarm.
 */
export function findByWords(source: string): WordUse[] {
  const uses: WordUse[] = [];
  let triedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const match of source.matchAll(USE)) {
    if (++count > MAX_USES) break;
    const at = match.index;
    const what = whatOf(match);
    if (isInTry(source, at)) triedAt = at;
    else if (at - triedAt > NEAR && isUse(source, at + match[0].length, what) && !isInText(source, at))
      uses.push({ what, at });
  }
  return uses;
}

function whatOf([, area, cookie, database, caches, serviceWorker]: RegExpExecArray): WordUse["what"] {
  if (area === "localStorage" || area === "sessionStorage") return area;
  if (cookie !== undefined) return "document.cookie";
  if (database !== undefined) return "indexedDB";
  if (caches !== undefined) return "caches";
  return serviceWorker === undefined ? "SharedWorker" : "serviceWorker";
}

/** Returns whether a storage area is used rather than only named. */
const isUse = (source: string, end: number, what: WordUse["what"]): boolean =>
  (what !== "localStorage" && what !== "sessionStorage") || /^\s?(?:\?\.|[.[])/.test(source.slice(end, end + 3));

/** Returns whether one of the blocks around the place is a `try`. Also counts braces in strings. */
function isInTry(source: string, at: number): boolean {
  let closed = 0;
  for (let before = at - 1; before >= Math.max(0, at - REACH); before--) {
    const character = source.charAt(before);
    if (character === "}") closed++;
    else if (character === "{" && closed > 0) closed--;
    else if (character === "{" && TRY.test(source.slice(Math.max(0, before - 10), before))) return true;
  }
  return false;
}

/** Returns whether the place is in a string or comment, judging by its line. */
function isInText(source: string, at: number): boolean {
  const line = source.slice(Math.max(0, at - 200, source.lastIndexOf("\n", at) + 1), at);
  if (/\/\/|\/\*|^\s*\*/.test(line)) return true;
  return QUOTE.test(source.charAt(at - 1));
}
