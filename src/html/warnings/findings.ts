/** Why a part of a report does not work once it is published. */
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

/** The causes that scripts have. */
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

/** Throws in a page with an opaque origin. */
export type StorageName = (typeof STORAGE_NAMES)[number];

/** A problem, and the position of its first occurrence in a file. */
export interface Finding {
  readonly cause: Cause;
  readonly file: string;
  readonly at: number;
  /** The URL or function name that the warning quotes, or an empty string where the cause says it. */
  readonly subject: string;
  /** The page that loads this file. */
  readonly loader?: string | undefined;
}

/** Facts about the pages of an upload that decide whether a script fails. */
export interface PageFacts {
  /** Whether images are loaded without `crossorigin`, which makes a canvas unreadable. */
  hasPlainImages: boolean;
  readonly plainImageIds: Set<string>;
  /** Whether stylesheets are linked without `crossorigin`, which makes their rules unreadable. */
  hasPlainStylesheets: boolean;
  hasFrames: boolean;
}
