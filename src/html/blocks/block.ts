/** A value of a chart's point. */
export type PointValue = string | number | null;

/** One line, set of bars or the like in a chart. */
export interface Series {
  /** What the legend shows; it may be empty. */
  readonly name: string;
  /** How it is drawn, such as "bar", in the library's words. */
  readonly type: string;
  /** The values of its points by channel, such as "x" and "y", or by field. */
  readonly channels: Readonly<Record<string, readonly PointValue[]>>;
}

export interface Chart {
  readonly library: "plotly" | "vega" | "echarts" | "chartjs" | "bokeh";
  readonly title: string;
  /** The titles of its axes. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}

export interface Table {
  readonly caption: string;
  /** The text of each column's header, outer ones first; empty without a header. */
  readonly header: readonly string[];
  /** The text of every cell, as wide as the header. A cell that spans several appears in each of them. */
  readonly rows: readonly (readonly string[])[];
}

export interface Image {
  /** What identifies what is shown: a digest, or an address on another site. */
  readonly source: string;
  readonly alt: string;
  /** Where it comes from, as the page says it; undefined if it is part of the page. */
  readonly address?: string;
  /** What the element shows of it, in the words of an anchor. */
  readonly mark?: { readonly digest: string } | { readonly src: string };
  /** Whether it is a drawing as small as the icon of a button. */
  readonly isIcon?: boolean;
}

type Content =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph" | "item" | "code"; readonly text: string }
  | ({ readonly kind: "table" } & Table)
  | ({ readonly kind: "image" } & Image)
  | ({ readonly kind: "chart" } & Chart);

/** A part of a page that readers see as one thing. */
export type Block = Content & {
  /** The texts of the headings that the block stands under, outer ones first. */
  readonly headings: readonly string[];
};

export type BlockKind = Block["kind"];
export type BlockOf<Kind extends BlockKind> = Extract<Block, { kind: Kind }>;

/** Limits of what is kept of one page, so that a hostile page needs bounded time and memory. */
export const BLOCK_LIMITS = {
  blocks: 20_000,
  cells: 400_000,
  columns: 200,
  points: 200_000,
  headingCharacters: 200,
  textCharacters: 20_000,
} as const;

/** Returns the text with white space collapsed, as browsers show it. */
export const oneLine = (text: string): string => text.replace(/[\s\u200b\ufeff]+/g, " ").trim();
