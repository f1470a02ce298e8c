/** The names of a document's highlights: of texts that bear comments and of those that changed, each also emphasized. */
export const HIGHLIGHTS = {
  comment: { usual: "vitrine-comment", emphasized: "vitrine-emphasized" },
  change: { usual: "vitrine-change", emphasized: "vitrine-changed" },
} as const;

/** Adds a sheet to the document's own, unless it is there. */
export function adopt(sheet: CSSStyleSheet): void {
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
}
