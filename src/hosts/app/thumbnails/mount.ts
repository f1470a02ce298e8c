import { setThumbnailRoute, thumbnailRoute } from "../../../contract/thumbnails/thumbnails.ts";
import type { Services } from "../../../domain/services.ts";
import { matchesEtag } from "../../http/etags.ts";
import { validate } from "../../http/validation.ts";
import { type Mount, queryOf } from "../mount.ts";

export function mountRoutes(mount: Mount, { thumbnails }: Pick<Services, "thumbnails">): void {
  mount.guarded(setThumbnailRoute, async (caller, { code, image }) => {
    await thumbnails.set(caller, code, image);
    return { ok: true };
  });

  mount.streaming(thumbnailRoute, async (caller, request) => {
    const { code } = validate(thumbnailRoute.query, queryOf(request, thumbnailRoute));
    const { type, image, digest } = await thumbnails.find(caller, code);
    const etag = `"${digest}"`;
    // Who may read a version can change at any time, so browsers ask again each time.
    const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
    const known = request.headers.get("if-none-match");
    if (known !== null && matchesEtag(known, etag)) return new Response(null, { status: 304, headers });
    return new Response(Buffer.from(image, "base64"), {
      headers: { ...headers, "Content-Type": type, "Content-Disposition": "inline" },
    });
  });
}
