import { INDEX_FILE } from "../../domain/model/names.ts";
import type { SeenLink } from "../../domain/model/seen-by.ts";
import type { Seen } from "../../domain/seen/seen.ts";
import { asksForPrivacy } from "../http/privacy.ts";
import type { ServedFile } from "./forms.ts";
import type { Audience } from "./headers.ts";
import { isPageLoad } from "./page-loads.ts";
import type { CachedVersion } from "./version-cache.ts";

interface Dependencies {
  seen: Pick<Seen, "modeOf" | "note" | "noteRefusal">;
  /** Returns whose session a ticket belongs to. */
  findHolder(ticket: string): string | undefined;
}

/** Creates the counter of openings: loads of a report's first page in a tab or frame, and of those that are refused. */
export function createOpenings({ seen, findHolder }: Dependencies) {
  /** Counts a response with a file if it opens a report whose workspace wants to know. Called for every file. */
  function noteOpening(
    request: Request,
    { code, workspaceId }: CachedVersion,
    { entry }: ServedFile,
    audience: Audience,
    ticket?: string,
  ): void {
    // Cheapest first: most files are no first pages, and most workspaces record nothing.
    if (entry.path !== INDEX_FILE || seen.modeOf(workspaceId) === "off") return;
    const { headers, method } = request;
    if (method !== "GET" || audience === "bearer" || !isPageLoad(headers) || isAhead(headers)) return;
    const userId = (ticket !== undefined && findHolder(ticket)) || null;
    seen.note({ code, workspaceId, link: linkOf(headers, audience), userId, isPrivate: asksForPrivacy(headers) });
  }

  /** Counts a response to someone who may not read a version, or that there is no such version. */
  function noteRefusal({ headers, method }: Request, code: string, path: string): void {
    if (path === INDEX_FILE && method === "GET" && isPageLoad(headers)) seen.noteRefusal({ code });
  }

  return { noteOpening, noteRefusal };
}

/** Returns whether a browser loads a page that the reader may never look at. */
const isAhead = (headers: Headers): boolean => headers.get("sec-purpose")?.includes("prefetch") === true;

/** Outside of Vitrine's own pages, only the address for frames can be framed. */
function linkOf(headers: Headers, audience: Audience): SeenLink {
  if (audience === "ticket") return "private";
  if (audience === "embed") return "embed";
  const place = headers.get("sec-fetch-dest");
  return place === null || place === "document" ? "version" : "live";
}
