/** The window message with which a framed page passes the page around it a port. */
export const BRIDGE = "vitrine-bridge";

/** Limits of what a framed page reports about itself. */
export const BRIDGE_LIMITS = {
  errors: 5,
  errorCharacters: 300,
  missing: 20,
  missingCharacters: 200,
  /** Of a page as it is rendered. */
  pageCharacters: 4_000_000,
  /** Pixels of a picture's longer side. */
  pictureSide: 1280,
} as const;

/** Browser storage that a sandboxed page can't use. */
export const STORAGE_AREAS = ["localStorage", "sessionStorage", "cookie"] as const;
export type StorageArea = (typeof STORAGE_AREAS)[number];

/** Where a page is scrolled to, and its full size, in CSS pixels. */
export interface ScrollState {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** RGBA pixels, row by row, without a file format that would have to be decoded. */
export interface Pixels {
  width: number;
  height: number;
  data: ArrayBuffer;
}

/** What the bridge in a framed page sends. The receiver treats it as untrusted: the page's own scripts can forge it. */
export type BridgeMessage =
  | { kind: "error"; text: string }
  | { kind: "denied"; area: StorageArea }
  | { kind: "missing"; path: string }
  | { kind: "settled"; isBlank: boolean }
  | ({ kind: "scroll" } & ScrollState)
  /** Null if the browser can't draw the page. */
  | { kind: "picture"; pixels: Pixels | null }
  /** The page as HTML, as scripts have left it. Null if that is too much. */
  | { kind: "page"; html: string | null };

/** What `scrollTo` and `scrollBy` of a window take. */
interface Scrolling {
  left: number;
  top: number;
  /** At once, whatever the page's style says. */
  behavior: "instant";
}

/** What the page around sends to the bridge. */
export type BridgeRequest =
  /** Scrolls to a place, in CSS pixels. */
  | ({ kind: "scrollTo" } & Scrolling)
  /** Scrolls by a distance, in CSS pixels. */
  | ({ kind: "scrollBy" } & Scrolling)
  /** Asks for the top of the page as a picture of this size. */
  | { kind: "takePicture"; width: number; height: number }
  /** Asks for the page as HTML. */
  | { kind: "readPage" }
  /** Brings a port for messages about comments, see `review.ts`. */
  | { kind: "openReview" };
