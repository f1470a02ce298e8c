import type { Authorized } from "../model/access.ts";
import type { Instant, Item } from "../model/entities.ts";
import type { ThumbnailFinder } from "../reports/ports.ts";
import type { ImageType } from "./image.ts";

/** A picture of a version, made by the browser of someone who may publish to its report. */
export interface Thumbnail {
  type: ImageType;
  /** Base64. */
  image: string;
  /** SHA-256, base64url. */
  digest: string;
}

export interface ThumbnailStore extends ThumbnailFinder {
  /** Sets or replaces a version's thumbnail. Returns false if the report has no such version any more. */
  setThumbnail(change: {
    item: Authorized<"modify", Item>;
    code: string;
    thumbnail: Thumbnail;
    now: Instant;
  }): Promise<boolean>;
  findThumbnail(code: string): Promise<Thumbnail | undefined>;
}
