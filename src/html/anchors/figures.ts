import type { ElementAnchor, Fingerprint, Place, Resolution } from "./anchor.ts";
import { type AnchorPage, headingsAt, type PageFigure } from "./page.ts";
import { headingSimilarity } from "./similarity.ts";

/** Characters on each side of a figure by which it is known to be unchanged. */
const AROUND = 40;

/** Returns where an image or a chart is; undefined if it isn't on the page or no place is certain. */
export function placeFigure(anchor: ElementAnchor, page: AnchorPage): Resolution | undefined {
  const tests = anchor.element === "image" ? imageTests(anchor.fingerprint) : chartTests(anchor.fingerprint);
  for (const test of tests) {
    const [found, other] = figuresBy(test, anchor, page);
    if (found === undefined) continue;
    if (other !== undefined) break;
    const isHere = isUnder(anchor.headings, page, found);
    const place: Place = !test.isUnchanged(found) ? "changed" : isHere ? "exact" : "moved";
    return { place, target: { kind: "figure", figure: page.figures.indexOf(found) } };
  }
  return placeByOrder(anchor, page);
}

function figuresBy(
  { isName, isSame }: FigureTest,
  { element, headings, fingerprint: { count = 1, elsewhere = 0 } }: ElementAnchor,
  page: AnchorPage,
): PageFigure[] {
  const alike = page.figures.filter((figure) => figure.kind === element && isSame(figure));
  const here = alike.filter((figure) => isUnder(headings, page, figure));
  // One that is left of several with this name may be any of them.
  if (isName && (count > 1 || (here.length === 0 && elsewhere > 0))) return [];
  return here.length > 0 ? here : alike;
}

/** Returns a figure by its place among those with the same names, or without names, if there are as many of them as before. */
function placeByOrder({ element, fingerprint, headings }: ElementAnchor, page: AnchorPage): Resolution | undefined {
  const { image, chart, index, count = 1, text } = fingerprint;
  const alike = figuresLike({ kind: element, ...image, ...chart }, page).filter((figure) =>
    isUnder(headings, page, figure),
  );
  const found = alike.length === count ? alike[index] : undefined;
  if (found === undefined) return undefined;
  const isUnchanged = image?.digest === found.digest && text === textAround(page, found);
  const target = { kind: "figure" as const, figure: page.figures.indexOf(found) };
  return { place: isUnchanged ? "exact" : "changed", target };
}

/** Returns the place of a figure among those with the same names under the same headings, and how many are there and elsewhere. */
export function placeAmongAlike(page: AnchorPage, figure: PageFigure) {
  const alike = figuresLike(figure, page);
  const here = alike.filter((each) => isUnder(headingsAt(page, figure.start), page, each));
  return { index: here.indexOf(figure), count: here.length, elsewhere: alike.length - here.length };
}

type Known = Omit<PageFigure, "kind" | "start"> & { kind: string };

function figuresLike(known: Known, page: AnchorPage): PageFigure[] {
  // Of a chart that was read from a file, browsers see only what it is drawn on.
  const names = ["canvas", "svg", "plotly", undefined].includes(known.library) ? namesOf(known) : "";
  return page.figures.filter(
    (figure) =>
      figure.kind === known.kind &&
      (figure.library === "plotly") === (known.library === "plotly") &&
      namesOf(figure) === names,
  );
}

/** Returns what a figure is called, empty if it has no name. */
const namesOf = ({ alt, src, title, series = [] }: Known): string => [alt, src, title, ...series].join("\n").trim();

const isUnder = (headings: readonly string[], page: AnchorPage, { start }: PageFigure): boolean =>
  headingSimilarity(headings, headingsAt(page, start)) >= 0.75;

interface FigureTest {
  /** Whether figures are recognized by what someone called them. */
  isName: boolean;
  isSame(figure: PageFigure): boolean;
  isUnchanged(figure: PageFigure): boolean;
}

/** Returns what a picture is recognized by, strongest first. */
function imageTests({ image }: Fingerprint): FigureTest[] {
  const by = (name: "digest" | "alt" | "src"): FigureTest => ({
    isName: name !== "digest",
    isSame: (figure) => (image?.[name] ?? "") !== "" && figure[name] === image?.[name],
    isUnchanged: ({ digest }) => image?.digest === digest,
  });
  return [by("digest"), by("alt"), by("src")];
}

function chartTests({ chart }: Fingerprint): FigureTest[] {
  const seriesOf = (figure: Pick<PageFigure, "series"> | undefined) => JSON.stringify(figure?.series ?? []);
  const series = seriesOf(chart);
  const isUnchanged = (figure: PageFigure) => seriesOf(figure) === series && figure.title === chart?.title;
  const hasSame = (figure: PageFigure, name: "library" | "title") => figure[name] === chart?.[name];
  return [
    {
      isName: true,
      isSame: (figure) => hasSame(figure, "library") && (chart?.title ?? "") !== "" && hasSame(figure, "title"),
      isUnchanged,
    },
    {
      isName: true,
      isSame: (figure) => hasSame(figure, "library") && series !== "[]" && seriesOf(figure) === series,
      isUnchanged,
    },
  ];
}

/** Returns the text on both sides of a figure. */
export const textAround = ({ text }: AnchorPage, { start }: PageFigure): string =>
  text.slice(Math.max(0, start - AROUND), start + AROUND);
