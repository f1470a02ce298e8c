/** Characters of a line that are shown: more would make a page slow that is one long line of data. */
const MOST_SHOWN = 600;
/** Of them, how many before what is different. */
const LEAD = 80;

export interface LinePieces {
  /** Characters that are left out before and after. */
  skippedBefore: number;
  skippedAfter: number;
  before: string;
  /** What the other line does not have, or has otherwise. */
  different: string;
  after: string;
}

/** A line cut to what can be read, around what is different from its counterpart. */
export function piecesOf(text: string, counterpart: string | undefined): LinePieces {
  const [from, to] = counterpart === undefined ? [0, 0] : differenceOf(text, counterpart);
  const start = text.length <= MOST_SHOWN ? 0 : Math.max(0, Math.min(from - LEAD, text.length - MOST_SHOWN));
  const end = Math.min(text.length, start + MOST_SHOWN);
  const differenceEnd = Math.min(to, end);
  return {
    skippedBefore: start,
    skippedAfter: text.length - end,
    before: text.slice(start, from),
    different: text.slice(from, differenceEnd),
    after: text.slice(Math.max(differenceEnd, start), end),
  };
}

/** From where to where a text differs from another one. */
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

/** Whether a character that takes two code units would be cut in two there. */
const isSecondHalf = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xdc00;
