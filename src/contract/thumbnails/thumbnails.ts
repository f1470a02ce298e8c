import * as z from "zod";
import { THUMBNAIL_BYTES, THUMBNAIL_SIDE } from "../../domain/model/limits.ts";
import { nothing, requestedCode } from "../model/common.ts";
import { defineDownload, defineRoute } from "../model/route.ts";

/** Characters of the largest picture in base64. */
const IMAGE_CHARACTERS = Math.ceil(THUMBNAIL_BYTES / 3) * 4;

export const thumbnailRoute = defineDownload({
  method: "GET",
  path: "/api/thumbnail",
  id: "thumbnail",
  mediaType: "image/*",
  summary: "Download a thumbnail",
  description: "Returns the picture of a version as `image/webp` or `image/png`.",
  scope: "reports:read",
  isRevalidated: true,
  query: z.object({ code: requestedCode }),
  body: nothing,
  failures: { 404: "The version does not exist or has no thumbnail, or the caller cannot access it." },
});

export const setThumbnailRoute = defineRoute({
  method: "POST",
  path: "/api/report/thumbnail",
  id: "setThumbnail",
  summary: "Set a thumbnail",
  description: `Sets or replaces the picture of a version that lists show. Anyone who can publish to the report can set it. The portal does so with a picture that the browser draws. At most ${THUMBNAIL_BYTES} bytes and ${THUMBNAIL_SIDE} pixels on each side. Thumbnails don't count toward the storage quota.`,
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      code: requestedCode,
      // Longer pictures are refused with their size.
      image: z.string().meta({
        description: "The picture in WebP or PNG, encoded in base64.",
        maxLength: IMAGE_CHARACTERS,
        examples: ["UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA="],
      }),
    })
    .meta({ id: "SetThumbnail" }),
  maximumBytes: 2 * IMAGE_CHARACTERS,
  response: z.object({ ok: z.literal(true) }),
  failures: {
    404: "The version does not exist, or the caller cannot publish to its report.",
    413: "The picture has too many bytes.",
  },
});
