/**
 * What a published page may do, as tokens for its own `Content-Security-Policy` and for the `sandbox` attribute of every
 * frame around it: neither gives the page more than the other.
 */
export const SANDBOX_TOKENS =
  "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";

/** The sandbox of frames that only show what a page looks like: in cards, and for thumbnails. */
export const PICTURE_SANDBOX_TOKENS = "allow-scripts";

/** The browser features that frames pass on to a published page, as their `allow` attribute. */
export const FRAME_FEATURES = "fullscreen *; clipboard-write *";

/** The content host's page in which the portal shows a report before it is published. */
export const PREVIEW_PATH = "/~preview/";

/** A file of a previewed report. */
export interface PreviewFile {
  path: string;
  /** Text with references as `previewReference` writes them, or the file as it is. */
  content: string | Blob;
  type: string;
}

/** The portal's only message to the preview page. */
export interface PreviewMessage {
  files: readonly PreviewFile[];
  /** The position of the page to show first. */
  start: number;
}

/** Returns the reference to a file in the text of another, for which the preview page substitutes an address. */
export const previewReference = (position: number): string => `vitrine-file-${position}-`;

/** What the preview page tells the portal: that it shows the report, or that a script failed. Any report can send the same. */
export type PreviewNews = { vitrine: "preview" } & ({ kind: "shown" } | { kind: "storage" | "error"; text: string });
