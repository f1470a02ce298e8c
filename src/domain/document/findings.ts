/** What keeps a part of a report from working where it is shown. */
export type Cause =
  | "base"
  | "missing"
  | "rooted"
  | "outside"
  | "subdirectory"
  | "local file"
  | "insecure"
  | "link"
  | "shape"
  | "integrity"
  | "download"
  | "form"
  | ScriptCause
  | "incomplete";

/** Those that lie in what a script does. */
export type ScriptCause =
  | StorageName
  | "serviceWorker"
  | "Worker"
  | "SharedWorker"
  | "importScripts"
  | "import()"
  | "getDirectory"
  | "locks"
  | "navigator.credentials"
  | "credentials"
  | "canvas"
  | "cssRules"
  | "frame"
  | "popup"
  | "parent";

export const STORAGE_NAMES = ["localStorage", "sessionStorage", "document.cookie", "indexedDB", "caches"] as const;

/** What throws in a page with an opaque origin. */
export type StorageName = (typeof STORAGE_NAMES)[number];

/** What was found, with where its file begins to tell of it. */
export interface Finding {
  readonly cause: Cause;
  readonly file: string;
  readonly at: number;
  /** What is quoted of it: a URL or the name of what is called; empty where there is but one. */
  readonly subject: string;
  /** The file that loads this one, where that matters. */
  readonly loader?: string | undefined;
}

/** What the pages of an upload have that decides whether some use in a script fails. */
export interface PageFacts {
  /** Images of the upload that are loaded without `crossorigin`, and so taint a canvas. */
  hasPlainImages: boolean;
  readonly plainImageIds: Set<string>;
  /** Stylesheets that are linked without `crossorigin`, whose rules cannot be read. */
  hasPlainStylesheets: boolean;
  hasFrames: boolean;
}
