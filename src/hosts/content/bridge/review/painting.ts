import type { PaintStyle } from "../../../../contract/bridge/review.ts";
import { adopt, HIGHLIGHTS } from "./highlights.ts";
import type { Shape } from "./rendered-page.ts";

const OUTLINES: Readonly<Record<PaintStyle, readonly [usual: string, emphasized: string]>> = {
  comment: ["#f5b942", "#d97706"],
  change: ["#4ac078", "#15803d"],
};
/** Pixels of a page above what it scrolls to, so that the reader sees where it stands. */
const ABOVE = 0.3;

/**
 * Shows where threads are, by means that leave the document as it is: highlights, whose sheet the page got before its first
 * element, and a sheet of outlines.
 */
export function createPainting(highlights: CSSStyleSheet | undefined) {
  let style: PaintStyle = "comment";
  let shapes = new Map<number, Shape | undefined>();
  let emphasized: number | null = null;
  let outlined: Element | undefined;
  let rules = "";
  const outlines = new CSSStyleSheet();
  adopt(outlines);
  if (highlights !== undefined) {
    // The page may have replaced all sheets.
    adopt(highlights);
    if (!isInherited(highlights)) spread(highlights);
  }

  function paint(): void {
    const { usual, emphasized: special } = HIGHLIGHTS[style];
    const ranges = (isEmphasized: boolean) =>
      [...shapes].flatMap(([id, shape]) =>
        shape instanceof Range && (id === emphasized) === isEmphasized ? [shape] : [],
      );
    highlight(usual, ranges(false));
    highlight(special, ranges(true));
    outline();
  }

  function outline(): void {
    const elements = [...shapes].flatMap(([id, shape]) =>
      shape instanceof Element ? [outlineOf(shape, OUTLINES[style][id === emphasized ? 1 : 0])] : [],
    );
    const chosen = outlined === undefined ? [] : [outlineOf(outlined, "#2563eb;cursor:crosshair")];
    const next = [...elements, ...chosen].join("\n");
    if (next !== rules) outlines.replaceSync(next);
    rules = next;
  }

  const boxOf = (id: number): DOMRect | undefined => {
    const box = shapes.get(id)?.getBoundingClientRect();
    return box === undefined || (box.width === 0 && box.height === 0) ? undefined : box;
  };

  return {
    setStyle(next: PaintStyle): void {
      style = next;
    },
    /** Knows from now on where threads are; `paint` shows it. */
    place(next: Map<number, Shape | undefined>): void {
      shapes = next;
    },
    paint,
    emphasize(id: number | null): void {
      emphasized = id;
      paint();
    },
    choose(element: Element | undefined): void {
      if (outlined === element) return;
      outlined = element;
      outline();
    },
    /** Returns the distance from the top of the page; null if it isn't visible. */
    topOf(id: number): number | null {
      const box = boxOf(id);
      return box === undefined ? null : Math.round(box.top + scrollY);
    },
    reveal(id: number): void {
      const shape = shapes.get(id);
      const element = shape instanceof Range ? shape.startContainer.parentElement : shape;
      element?.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const box = boxOf(id);
      if (box !== undefined) scrollBy({ top: box.top - innerHeight * ABOVE, behavior: "instant" });
    },
    /** Returns whose shape is at a point of the window. */
    at(x: number, y: number): number | undefined {
      for (const [id, shape] of shapes) {
        if (shape === undefined) continue;
        for (const { left, right, top, bottom } of shape.getClientRects()) {
          if (x >= left && x <= right && y >= top && y <= bottom) return id;
        }
      }
      return undefined;
    },
  };
}

/** Returns whether elements inherit the colors of highlights from the root, as CSS Pseudo-Elements 4 says. */
function isInherited({ cssRules: [first] }: CSSStyleSheet): boolean {
  const { backgroundColor } = getComputedStyle(
    document.body ?? document.documentElement,
    `::highlight(${HIGHLIGHTS.comment.usual})`,
  );
  return first instanceof CSSStyleRule && first.style.backgroundColor === backgroundColor;
}

/** Says of every element what a sheet says of the root. */
const spread = (sheet: CSSStyleSheet): void =>
  sheet.replaceSync([...sheet.cssRules].map(({ cssText }) => cssText.replace(":root", "")).join(""));

function highlight(name: string, ranges: Range[]): void {
  // Older browsers show the threads beside the report alone.
  if (typeof Highlight === "undefined") return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

/** Returns a rule that outlines an element: inside, where nothing clips it, but outside of charts whose layers would cover it. */
function outlineOf(element: Element, color: string): string {
  const isLayered = element.shadowRoot !== null || element.classList.contains("js-plotly-plot");
  return `${selectorOf(element)}{outline:2px solid ${color};outline-offset:${isLayered ? 0 : -2}px}`;
}

/** Returns a selector of this element alone, by its place, because the element may not be marked. */
function selectorOf(element: Element): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at !== null && at !== document.documentElement; at = at.parentElement) {
    const place = at.parentElement === null ? 1 : [...at.parentElement.children].indexOf(at) + 1;
    steps.unshift(`:nth-child(${place})`);
  }
  return `:root>${steps.join(">")}`;
}
