/** Milliseconds. Most reports have painted by then. */
const PAINTED = 100;

/** Calls back after the first paint of most pages, which the browser's work for the callback would delay by milliseconds. */
export function afterPaint(callback: () => void): void {
  setTimeout(callback, PAINTED);
}
