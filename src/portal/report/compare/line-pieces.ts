/** Longest text shown per line, in characters: files with one long line would slow down the page. */
const MAX_SHOWN = 600;
/** Of these, the characters before the difference. */
const LEAD = 80;

export interface LinePieces {
  /** Characters omitted before and after. */
  skippedBefore: number;
  skippedAfter: number;
  before: string;
  /** The part that differs from the other line. */
  different: string;
  after: string;
}

/** Truncates a line around its difference from its counterpart. */
export function piecesOf(text: string, counterpart: string | undefined): LinePieces {
  const [from, to] = counterpart === undefined ? [0, 0] : differenceOf(text, counterpart);
  const start = text.length <= MAX_SHOWN ? 0 : Math.max(0, Math.min(from - LEAD, text.length - MAX_SHOWN));
  const end = Math.min(text.length, start + MAX_SHOWN);
  const differenceEnd = Math.min(to, end);
  return {
    skippedBefore: start,
    skippedAfter: text.length - end,
    before: text.slice(start, from),
    different: text.slice(from, differenceEnd),
    after: text.slice(Math.max(differenceEnd, start), end),
  };
}

/** Returns the start and end of the difference. */
function differenceOf(text: string, other: string): [number, number] {
  const most = Math.min(text.length, other.length);
  let from = 0;
  while (from < most && text.charCodeAt(from) === other.charCodeAt(from)) from++;
  let alike = 0;
  while (
    alike < most - from &&
    text.charCodeAt(text.length - 1 - alike) === other.charCodeAt(other.length - 1 - alike)
  ) {
    alike++;
  }
  if (isSecondHalf(text, from)) from--;
  const to = text.length - alike;
  return [from, isSecondHalf(text, to) ? to + 1 : to];
}

/** Returns whether an index would split a surrogate pair. */
const isSecondHalf = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xdc00;
