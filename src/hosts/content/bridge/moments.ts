/** Milliseconds. Most reports have painted by then. */
const PAINTED = 100;

/** Calls back after the first paint of most pages, which the browser's work for the callback would delay by milliseconds. */
export function afterPaint(callback: () => void): void {
  setTimeout(callback, PAINTED);
}

/** Calls back when the page loads, or at once if it has. */
export function onceLoaded(callback: () => void): void {
  if (document.readyState === "complete") callback();
  else addEventListener("load", callback);
}
