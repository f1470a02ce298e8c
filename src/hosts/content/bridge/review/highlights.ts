/** The highlights of a document, by name: texts that bear comments and those that changed, each also emphasized. */
export const HIGHLIGHTS = {
  comment: { usual: "vitrine-comment", emphasized: "vitrine-emphasized" },
  change: { usual: "vitrine-change", emphasized: "vitrine-changed" },
} as const;

const { comment, change } = HIGHLIGHTS;
const STYLES = [
  [comment.usual, "background-color:rgb(255 213 79/.45)"],
  [change.usual, "background-color:rgb(74 192 120/.4)"],
  ...[comment, change].map(({ emphasized }) => [emphasized, "background-color:rgb(255 179 0/.75);color:#000"] as const),
] as const;

/** Returns a sheet that colors the highlights of the elements that a selector finds, and of those inside where they inherit it. */
export function highlightSheet(selector: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES.map(([name, style]) => `${selector}::highlight(${name}){${style}}`).join(""));
  return sheet;
}

/** Adds a sheet to the document's own, unless it is there. */
export function adopt(sheet: CSSStyleSheet): void {
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
}

/** The color of commented texts, as browsers write it. */
const COMPUTED = "rgba(255, 213, 79, 0.45)";

/** Returns whether elements inherit the colors of highlights from the document's root, as CSS Pseudo-Elements 4 says. */
export const isInherited = (): boolean =>
  getComputedStyle(document.body ?? document.documentElement, `::highlight(${comment.usual})`).backgroundColor ===
  COMPUTED;
