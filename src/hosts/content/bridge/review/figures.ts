import { ANCHOR_LIMITS } from "../../../../html/anchors/anchor.ts";
import { shortDigest } from "../../../../html/anchors/digest.ts";
import type { PageFigure } from "../../../../html/anchors/page.ts";

type Figure = Omit<PageFigure, "start">;

/** Elements that are figures without any attribute. */
const FIGURES = new Set(["IMG", "CANVAS", "svg"]);

/** Returns whether elements of this name can be figures without any attribute. */
export const mayBeFigure = (tagName: string): boolean => FIGURES.has(tagName) || tagName.includes("-");

/** Returns what an image or a chart can be recognized by; undefined for other elements. */
export const figureOf = (element: Element): Figure | undefined => imageOf(element) ?? chartOf(element);

function imageOf(element: Element): Figure | undefined {
  if (!(element instanceof HTMLImageElement)) return undefined;
  const source = element.getAttribute("src") ?? "";
  const isData = source.startsWith("data:");
  return {
    kind: "image",
    alt: element.alt.slice(0, ANCHOR_LIMITS.name),
    ...(isData ? { digest: shortDigest(source) } : { src: source.slice(0, ANCHOR_LIMITS.name) }),
  };
}

function chartOf(element: Element): Figure | undefined {
  if (element.classList.contains("js-plotly-plot")) return plotlyOf(element);
  if (isDrawnComponent(element)) return { kind: "chart", library: "canvas", title: undefined, series: [] };
  if (!isDrawing(element) || element.closest(".js-plotly-plot") !== null) return undefined;
  const title = element.getAttribute("aria-label") ?? element.querySelector("title")?.textContent ?? undefined;
  return { kind: "chart", library: element.localName, title: title?.slice(0, ANCHOR_LIMITS.name), series: [] };
}

const isDrawing = (element: Element): boolean =>
  element instanceof HTMLCanvasElement || (element instanceof SVGSVGElement && element.clientWidth >= 100);

/** Returns whether an element shows a drawing in its shadow root, as Bokeh's charts do. */
export const isDrawnComponent = ({ shadowRoot }: Element): boolean =>
  shadowRoot !== null &&
  [...shadowRoot.querySelectorAll("*")].some((inner) => isDrawing(inner) || isDrawnComponent(inner));

/** Reads what Plotly keeps on its element. The page's scripts own it, so anything may be missing. */
function plotlyOf(element: Element): Figure {
  const data: unknown = Reflect.get(element, "data");
  const title: unknown = read(Reflect.get(element, "layout"), "title");
  const series = Array.isArray(data)
    ? data.slice(0, ANCHOR_LIMITS.names).map((trace) => textOf(read(trace, "name")))
    : [];
  return { kind: "chart", library: "plotly", title: textOf(read(title, "text") ?? title), series };
}

const read = (object: unknown, name: string): unknown =>
  typeof object === "object" && object !== null ? Reflect.get(object, name) : undefined;

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, ANCHOR_LIMITS.name) : "");
