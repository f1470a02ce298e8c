import { ANCHOR_LIMITS } from "../anchors/anchor.ts";
import { shortDigest } from "../anchors/digest.ts";
import { NameTable } from "../names.ts";
import { createVisibility, HIDING_NAMES, type TextSink, VOID } from "../text.ts";
import { type Attribute, createHtmlReader } from "../tokens.ts";
import type { Block, Chart } from "./block.ts";
import { createBlockBuilder } from "./builder.ts";
import { hashText } from "./hash.ts";
import { chartsOfScript } from "./script-charts.ts";
import { createSvgReader, SVG_ATTRIBUTES, type SvgReader } from "./svg.ts";

const ATTRIBUTES = new NameTable([
  ...HIDING_NAMES,
  ...SVG_ATTRIBUTES,
  ...["colspan", "rowspan", "src", "alt", "type", "class", "baseprofile", "viewbox"],
]);

/** Returns what identifies the content of a file of the report, such as its digest; undefined if it has no such file. */
export type IdentifyFile = (address: string) => string | undefined;

export interface PageBlocks {
  readonly blocks: readonly Block[];
  /** Whether scripts draw parts of the page in a way that the file doesn't tell. */
  readonly isDrawnByScripts: boolean;
}

/**
 * Returns the blocks of a page as its file has them, without running scripts. In the same pass, a sink receives what
 * `createTextExtractor` would pass to it.
 */
export function readBlocks(html: string, identifyFile: IdentifyFile = () => undefined, sink?: TextSink): PageBlocks {
  const blocks: Block[] = [];
  const reader = new PageReader(blocks, identifyFile, sink);
  const html5 = createHtmlReader(
    {
      attributes: ATTRIBUTES,
      startTag: ({ name, attributes, isClosed }) => reader.startTag(name, attributes, isClosed),
      endTag: (name) => reader.endTag(name),
      text: (text) => reader.text(text),
    },
    { decodesText: true },
  );
  html5.push(html);
  html5.end();
  reader.end();
  return {
    blocks: withoutDrawnCharts(blocks, reader.drawnBy),
    isDrawnByScripts: reader.draws || (reader.hasScripts && blocks.length < FEW_BLOCKS),
  };
}

/** Returns the blocks without the drawings that scripts made of charts which are blocks themselves. */
function withoutDrawnCharts(blocks: readonly Block[], drawnBy: ReadonlyMap<Block, Chart["library"]>): Block[] {
  const libraries = new Set(blocks.flatMap((block) => (block.kind === "chart" ? block.library : [])));
  return blocks.filter((block) => {
    const library = drawnBy.get(block);
    return library === undefined || !libraries.has(library);
  });
}

type ReadAttribute = (name: string) => string | undefined;

/** Returns which library makes drawings with these attributes. */
function drawingLibrary(attribute: ReadAttribute): Chart["library"] | undefined {
  const classes = (attribute("class") ?? "").split(" ");
  if (classes.includes("marks")) return "vega";
  if (classes.includes("main-svg")) return "plotly";
  return attribute("baseprofile") === undefined ? undefined : "echarts";
}

/** Pixels of the widest drawing that the bridge doesn't take for a figure, and of the widest icon in a drawing's own units. */
const NO_FIGURE = 100;
const ICON = 48;

/** Returns whether a drawing is too small for a figure, as far as its attributes say. */
function isIcon(attribute: ReadAttribute): boolean {
  const width = attribute("width") ?? "";
  if (width !== "") return !width.endsWith("%") && Number.parseFloat(width) < NO_FIGURE;
  return (
    Number(
      attribute("viewbox")
        ?.trim()
        .split(/[\s,]+/)[2] ?? Number.NaN,
    ) <= ICON
  );
}

/** What scripts write pages with. */
const WRITES =
  /\.(?:innerHTML|outerHTML|innerText|textContent|insertAdjacent\w+|append(?:Child)?|prepend|replaceChildren|insertBefore)\b|document\.write|createElement/;
/** Characters of a script above which it is a library rather than the page's own. */
const LIBRARY = 200_000;
/** The file of a library, such as `plotly-2.35.min.js`, or an address elsewhere. */
const LIBRARY_FILE =
  /^(?:[a-z]+:)?\/\/|\.min\.m?js$|(?:plotly|vega|bokeh|echarts|chart|d3|jquery|bootstrap|mathjax|require|katex|mermaid)[^/]*\.js$/i;

/** A page with scripts and fewer blocks is taken for one that scripts draw. */
const FEW_BLOCKS = 3;

class PageReader {
  hasScripts = false;
  /** Whether the page's own scripts write to it, apart from charts whose data is in the page. */
  draws = false;
  /** The libraries that made drawings of this page. */
  readonly drawnBy = new Map<Block, Chart["library"]>();
  private readonly builder;
  private readonly identifyFile: IdentifyFile;
  private readonly sink: TextSink | undefined;
  private readonly visible = createVisibility();
  private script: string[] | undefined;
  private svg: SvgReader | undefined;
  private svgDepth = 0;
  private svgLibrary: Chart["library"] | undefined;
  private isIcon = false;

  constructor(blocks: Block[], identifyFile: IdentifyFile, sink: TextSink | undefined) {
    this.identifyFile = identifyFile;
    this.sink = sink;
    this.builder = createBlockBuilder((block) => {
      blocks.push(block);
      if (block.kind === "image" && this.svgLibrary !== undefined) this.drawnBy.set(block, this.svgLibrary);
    });
  }

  startTag(name: string, attributes: ReadonlyMap<string, Attribute>, isClosed: boolean): void {
    const attribute = (key: string) => attributes.get(key)?.text;
    if (name === "script" && !isClosed && this.svg === undefined) {
      this.hasScripts = true;
      this.script = [];
      const file = attribute("src")?.replace(/[?#].*$/s, "");
      if (file !== undefined && !LIBRARY_FILE.test(file)) this.draws = true;
    }
    if (!isClosed) {
      if (!this.visible.open(name, attributes)) return;
      this.sink?.tag(name, true);
    }
    if (!this.visible.isVisible()) return;
    if (name === "svg" || this.svg !== undefined) this.startSvg(name, attribute, isClosed);
    else if (name === "img") this.image(attribute);
    else this.builder.open(name, attribute);
  }

  endTag(name: string): void {
    if (name === "script" && this.script !== undefined) this.endScript(this.script.join(""));
    if (!this.visible.close(name)) return;
    this.sink?.tag(name, false);
    if (this.svg !== undefined) this.endSvg(name, this.svg);
    else if (!VOID.has(name)) this.builder.close(name);
  }

  text(text: string): void {
    if (this.script !== undefined) this.script.push(text);
    if (!this.visible.isVisible()) return;
    this.sink?.text(text);
    if (this.svg !== undefined) this.svg.text(text);
    else this.builder.text(text);
  }

  end(): void {
    if (this.svg !== undefined) this.addDrawing(this.svg);
    this.builder.end();
  }

  private startSvg(name: string, attribute: (name: string) => string | undefined, isClosed: boolean): void {
    if (this.svg === undefined) [this.svgLibrary, this.isIcon] = [drawingLibrary(attribute), isIcon(attribute)];
    this.svg ??= createSvgReader();
    this.svg.open(name, attribute);
    if (name === "svg" && !isClosed) this.svgDepth++;
  }

  private endSvg(name: string, svg: SvgReader): void {
    svg.close(name);
    if (name !== "svg" || --this.svgDepth > 0) return;
    this.addDrawing(svg);
  }

  private addDrawing(svg: SvgReader): void {
    this.builder.image({ ...svg.end(), isIcon: this.isIcon });
    [this.svg, this.svgLibrary] = [undefined, undefined];
  }

  private image(attribute: (name: string) => string | undefined): void {
    const address = attribute("src")?.trim() ?? "";
    if (address === "") return;
    const isData = /^data:/i.test(address);
    const source = isData ? `data:${hashText(address.replace(/\s/g, ""))}` : (this.identifyFile(address) ?? address);
    const mark = isData
      ? { digest: shortDigest(attribute("src") ?? "") }
      : { src: address.slice(0, ANCHOR_LIMITS.name) };
    this.builder.image({ source, alt: attribute("alt") ?? "", address, mark });
  }

  private endScript(source: string): void {
    this.script = undefined;
    const charts = chartsOfScript(source);
    for (const chart of charts) this.builder.chart(chart);
    if (charts.length === 0 && source.length < LIBRARY && WRITES.test(source)) this.draws = true;
  }
}
