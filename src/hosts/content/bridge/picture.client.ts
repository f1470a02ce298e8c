import { createContext, domToCanvas } from "modern-screenshot";
import type { Pixels } from "../../../contract/bridge/messages.ts";

/** Milliseconds to wait for each image and font. */
const FILE_TIMEOUT = 5_000;
/** Elements that are drawn at most, from the top of the page: enough to fill the picture. */
const DRAWN = 3_000;

/** Properties that don't show in a still picture, or repeat others; and outlines, which mark what has comments. */
const UNDRAWN =
  /^(?:-webkit-locale|animation|transition|scroll|timeline|view-|page|orphans|widows|cursor|pointer-events|will-change|outline|.*\b(?:block|inline)-(?:size|start|end)|(?:inset|margin|padding|border)-(?:block|inline))/;

/** Draws the top of the page as wide as the window and scaled to the size. Rejects if the browser can't read it back. */
export async function drawPage({ width, height }: { width: number; height: number }): Promise<Pixels> {
  const scale = width / innerWidth;
  const visible = height / scale;
  const context = await createContext(document.documentElement, {
    autoDestruct: true,
    width: innerWidth,
    height: visible,
    scale,
    backgroundColor: backgroundOf(document.documentElement) ?? backgroundOf(document.body) ?? "#fff",
    includeStyleProperties: [...getComputedStyle(document.documentElement)].filter((name) => !UNDRAWN.test(name)),
    filter: createFilter(visible),
    timeout: FILE_TIMEOUT,
  });
  // Outside the document, this has no window, so the library adds none to the page to look up default styles.
  context.sandbox = document.createElement("iframe");
  const canvas = await domToCanvas(context);
  return readPixels(canvas, { width, height });
}

/** Returns the function that says whether to draw a node: not if it is below the picture, or can't be drawn. */
function createFilter(visible: number): (node: Node) => boolean {
  let drawn = 0;
  return (node) => {
    if (!(node instanceof Element)) return true;
    if (/^(?:IFRAME|OBJECT|EMBED|NOSCRIPT|LINK|META|TEMPLATE)$/.test(node.tagName) || drawn >= DRAWN) return false;
    drawn++;
    return node.getBoundingClientRect().top <= visible;
  };
}

/** Browsers paint the background of either element on the whole page. */
function backgroundOf(element: Element | null): string | undefined {
  const color = element === null ? "" : getComputedStyle(element).backgroundColor;
  return color === "" || color === "transparent" || /^rgba\(.*, 0\)$/.test(color) ? undefined : color;
}

/** Throws if the picture has something from another site, which the page may not read. */
function readPixels(drawn: HTMLCanvasElement, { width, height }: { width: number; height: number }): Pixels {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("No canvas can be drawn on.");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.drawImage(drawn, 0, 0);
  return { width, height, data: context.getImageData(0, 0, width, height).data.buffer };
}
