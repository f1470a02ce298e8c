/** Limits of an anchor, in characters or entries. */
export const ANCHOR_LIMITS = {
  quote: 1000,
  context: 64,
  headings: 6,
  heading: 200,
  label: 200,
  text: 500,
  names: 30,
  name: 200,
} as const;

/** A text of a page: what it says, what stands around it, and where it stood. Positions count characters of the page's text. */
export interface TextAnchor {
  kind: "text";
  path: string;
  quote: string;
  prefix: string;
  suffix: string;
  start: number;
  end: number;
  /** The headings above it, outermost first. */
  headings: string[];
}

export const ELEMENT_KINDS = ["cell", "row", "image", "chart", "block"] as const;
export type ElementKind = (typeof ELEMENT_KINDS)[number];

/** What an element can be recognized by in another version. */
export interface Fingerprint {
  text?: string | undefined;
  table?:
    | {
        index: number;
        header: string[];
        row_key?: string | undefined;
        column_key?: string | undefined;
      }
    | undefined;
  image?: { digest?: string | undefined; alt?: string | undefined; src?: string | undefined } | undefined;
  chart?: { library: string; title?: string | undefined; series: string[] } | undefined;
  /** Its place among the elements of its kind; of a figure, among those with the same names under the same headings. */
  index: number;
  /** How many of them there are. */
  count?: number | undefined;
  /** How many figures have the same names under other headings. */
  elsewhere?: number | undefined;
}

/** An element of a page. */
export interface ElementAnchor {
  kind: "element";
  path: string;
  element: ElementKind;
  headings: string[];
  /** What a person calls it. */
  label: string;
  fingerprint: Fingerprint;
}

export type Anchor = { kind: "report" } | TextAnchor | ElementAnchor;

/** What became of an anchor in another version. */
export type Place = "exact" | "moved" | "changed" | "gone" | "unknown";

/** Where an anchor was found: positions in the page's text, a cell or row of a table, or an image or chart. */
export type Target =
  | { kind: "text"; start: number; end: number }
  | { kind: "cell"; table: number; row: number; column: number | undefined }
  | { kind: "figure"; figure: number };

/** Has no target if the place is `gone` or `unknown`, or the anchor names the whole report. */
export interface Resolution {
  place: Place;
  target?: Target;
}
