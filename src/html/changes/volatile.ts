const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const DAY = "(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?";
const TIME =
  "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:\\s*[ap]\\.?m\\.?)?(?:\\s*(?:z|utc|gmt|[a-z]{3,4}|[+-]\\d{2}:?\\d{2})\\b)?";
const DATE = `(?:\\d{4}-\\d{2}-\\d{2}|\\d{4}/\\d{1,2}/\\d{1,2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|(?:${DAY}\\s+)?(?:\\d{1,2}\\.?\\s+${MONTH}|${MONTH}\\s+\\d{1,2}),?(?:\\s+\\d{4})?)`;
/** A date with a time of day. */
const MOMENT = `${DATE}(?:t|,?\\s+(?:at\\s+)?)${TIME}(?:\\s+\\d{4})?`;
const MOMENTS = new RegExp(`\\b${MOMENT}`, "gi");
/** What says when, or how fast, the page was made. */
const MADE = new RegExp(
  `\\b((?:generated|created|rendered|built|exported|refreshed|updated|modified|published|compiled|printed|run|started|finished)(?:\\s+(?:on|at|by|with|the|from|report|date|time|v?[\\d.]+\\d|[a-z][\\w.-]*)){0,4}?:?\\s+|(?:report|build|run|generation|last\\s+\\w+)\\s+(?:date|time)?:?\\s*)(${MOMENT}|${DATE}|${TIME})`,
  "gi",
);
const TOOK =
  /\b((?:took|elapsed|duration|(?:finished|completed|rendered|generated|ran|built|passed|executed)\s+(?:\w+\s+)?in)(?:\s+time)?:?\s+)(?:\d+(?:[.,]\d+)?\s*(?:ms|s|secs?|seconds?|m|min|mins|minutes?|h|hours?)\b\s*)+/gi;
/** The numbers that Jupyter counts cells with. */
const PROMPT = /^(In|Out)\s*\[[\d* ]*\]:?$/;

/** Returns the text without what differs each time a page is made: moments, and how long it took. */
export function withoutVolatile(text: string): string {
  if (!/\d/.test(text)) return text;
  if (PROMPT.test(text)) return "[]";
  return (
    text.slice(0, MAX_TEXT).replace(MADE, "$1⌚").replace(MOMENTS, "⌚").replace(TOOK, "$1⌚ ") + text.slice(MAX_TEXT)
  );
}

/** The patterns take long for long texts, and such texts are rarely about when a page was made. */
const MAX_TEXT = 2_000;
