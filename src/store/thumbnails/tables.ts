import type { Instant } from "../../domain/model/entities.ts";
import type { ImageType } from "../../domain/thumbnails/image.ts";

/** Kept until the objects of the version are deleted, so that undoing a deletion brings them back. */
interface Thumbnails {
  code: string;
  digest: string;
  media_type: ImageType;
  created_at: Instant;
  /** Base64, which both engines store, copy and compare alike. */
  image: string;
}

declare module "../engine/schema.ts" {
  interface Schema {
    thumbnails: Thumbnails;
  }
}
