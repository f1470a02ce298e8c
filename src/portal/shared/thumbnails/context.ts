import { createContext, useContext } from "react";

export interface Thumbnails {
  /** Makes the thumbnail of a published version, unless a frame on the page takes its picture soon. */
  make(code: string): void;
  /** Makes the thumbnails of versions that this browser hasn't tried yet, instead of those asked for before. */
  complete(codes: readonly string[]): void;
  /** Returns whether to take the picture of a version: each is taken once until the page is reloaded. */
  claim(code: string): boolean;
  /** Lets the picture of a version be taken again, because its frame closed too soon. */
  release(code: string): void;
}

export const ThumbnailsContext = createContext<Thumbnails>({
  make: () => undefined,
  complete: () => undefined,
  claim: () => false,
  release: () => undefined,
});

export const useThumbnails = (): Thumbnails => useContext(ThumbnailsContext);
