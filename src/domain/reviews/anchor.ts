/** What a thread is about, as the reader's browser or an agent described it. */
export type Anchor = ReportAnchor | TextAnchor | ElementAnchor;

export interface ReportAnchor {
  kind: "report";
}

/** A passage of a page: W3C TextQuoteSelector and TextPositionSelector over the page's normalized text. */
export interface TextAnchor {
  kind: "text";
  path: string;
  quote: string;
  prefix: string;
  suffix: string;
  start: number;
  end: number;
  headings: string[];
}

export const ELEMENT_KINDS = ["cell", "row", "image", "chart", "block"] as const;
export type ElementKind = (typeof ELEMENT_KINDS)[number];

/** An element of a page, found again by what it shows. */
export interface ElementAnchor {
  kind: "element";
  path: string;
  element: ElementKind;
  headings: string[];
  /** What a person reads, such as "Revenue, March". */
  label: string;
  fingerprint: Fingerprint;
}

export interface Fingerprint {
  text?: string | undefined;
  table?: { index: number; header: string[]; row_key: string; column_key: string } | undefined;
  image?: { digest?: string | undefined; alt?: string | undefined; src?: string | undefined } | undefined;
  chart?: { library: string; title?: string | undefined; series: string[] } | undefined;
  /** Which element of its kind in the page, from 0. */
  index: number;
}

/** Where a thread stands in a version. `gone`: found nowhere. `unknown`: can't be decided from the files. */
export const PLACES = ["exact", "moved", "changed", "gone", "unknown"] as const;
export type PlaceKind = (typeof PLACES)[number];

/** The place of a thread in one version. */
export interface Place {
  kind: PlaceKind;
  /** The text that stands there now, if it differs from the quote. */
  text?: string | undefined;
  /** The range in the page's normalized text. */
  start?: number | undefined;
  end?: number | undefined;
}

export const THREAD_STATES = ["open", "resolved"] as const;
export type ThreadState = (typeof THREAD_STATES)[number];
