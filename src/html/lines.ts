const LINE_FEED = "\n";

/** Returns a function that maps a position to its line, the first being 1; fastest for ascending positions. */
export function createLineCounter(text: string): (at: number) => number {
  let lineStart = 0;
  let line = 1;
  return (at) => {
    if (at < lineStart) {
      lineStart = 0;
      line = 1;
    }
    for (let end = text.indexOf(LINE_FEED, lineStart); end !== -1 && end < at; ) {
      line++;
      lineStart = end + 1;
      end = text.indexOf(LINE_FEED, lineStart);
    }
    return line;
  };
}
