import { INDEX_FILE } from "../../domain/model/names.ts";
import type { SeenLink } from "../../domain/model/seen-by.ts";
import type { Admission } from "../../domain/private-links/private-links.ts";
import type { Seen } from "../../domain/seen/seen.ts";
import { asksForPrivacy } from "../http/privacy.ts";
import type { ServedFile } from "./forms.ts";
import type { Audience } from "./headers.ts";
import { isPageLoad } from "./page-loads.ts";
import type { CachedVersion } from "./version-cache.ts";

/** Creates the counter of openings: loads of a report's first page in a tab or frame, and of those that are refused. */
export function createOpenings(seen: Pick<Seen, "modeOf" | "noteOpening" | "noteRefusal">) {
  /** Counts a response with a file if it opens a report whose workspace wants to know. Called for every file. */
  function noteOpening(
    request: Request,
    { code, workspaceId }: CachedVersion,
    { entry }: ServedFile,
    audience: Audience,
    admission?: Admission,
  ): void {
    // Cheapest first: most files aren't first pages, and most workspaces record no views.
    if (entry.path !== INDEX_FILE) return;
    const mode = seen.modeOf(workspaceId);
    if (mode === "off" || audience === "bearer" || request.method !== "GET") return;
    const { headers } = request;
    const place = headers.get("sec-fetch-dest");
    if (!isOpening(headers, place)) return;
    const link = admission?.guestLink ?? linkOf(place, audience);
    const reader = mode === "names" ? admission?.userId : undefined;
    seen.noteOpening(code, link, reader !== undefined && !asksForPrivacy(headers) ? reader : null);
  }

  /** Counts a response to someone who may not read a version, or that there is no such version. */
  function noteRefusal({ headers, method }: Request, code: string, path: string): void {
    if (path === INDEX_FILE && method === "GET" && isPageLoad(headers)) seen.noteRefusal({ code });
  }

  return { noteOpening, noteRefusal };
}

export type Openings = ReturnType<typeof createOpenings>;

/** Returns whether a browser loads a page to show it now, rather than ahead, when the reader may never look at it. */
const isOpening = (headers: Headers, place: string | null): boolean =>
  (place === "document" || place === "iframe" || isPageLoad(headers)) &&
  headers.get("sec-purpose")?.includes("prefetch") !== true;

/** Outside of Vitrine's own pages, only the address for frames can be framed. */
function linkOf(place: string | null, audience: Audience): SeenLink {
  if (audience === "ticket") return "private";
  if (audience === "embed") return "embed";
  return place === null || place === "document" ? "version" : "live";
}
