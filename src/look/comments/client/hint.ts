/** Returns the sentence above the threads, which says what the reader can do; empty if there is no need. */
export function hintFor(panel: { mayComment: boolean; isPicking: boolean; count: number }): string {
  if (!panel.mayComment) return panel.count === 0 ? "Comments are turned off for this report." : "";
  if (panel.isPicking) return "Click a number, image, chart or paragraph in the report. Press Escape to stop.";
  return panel.count > 0 ? "" : "No comments yet. Select text in the report to comment on it.";
}
