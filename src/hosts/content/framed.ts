import { isForAnyone } from "../../domain/model/access.ts";
import { INDEX_FILE } from "../../domain/model/names.ts";
import type { PrivateLinks } from "../../domain/private-links/private-links.ts";
import { isPage } from "../http/media-types.ts";
import { type FramedTarget, framedTargetOf } from "./addresses.ts";
import type { BridgePages } from "./bridge-pages.ts";
import type { ServedFile } from "./forms.ts";
import { type Audience, plainHeaders } from "./headers.ts";
import { fileFor } from "./respond.ts";
import type { CachedVersion, VersionCache } from "./version-cache.ts";

interface Dependencies {
  versions: Pick<VersionCache, "peek" | "recall" | "load">;
  privateLinks: Pick<PrivateLinks, "admits">;
  bridge: BridgePages;
  /** Makes the page's stand-in, and returns it. */
  learned(version: CachedVersion, file: ServedFile): Promise<ServedFile>;
  respond(request: Request, version: CachedVersion, file: ServedFile, audience: Audience): Response | Promise<Response>;
  missing(request: Request): Response;
  redirectToApp(request: Request, code: string, path: string): Response;
}

/** Creates the function that serves reports to pages of Vitrine that frame them, with the bridge in their pages. */
export function createFramed({
  versions,
  privateLinks,
  bridge,
  learned,
  respond,
  missing,
  redirectToApp,
}: Dependencies) {
  /** Serves what follows the mark in a path: a file of a report, or a script of the bridge. */
  async function serve(request: Request, part: string): Promise<Response> {
    const target = framedTargetOf(part);
    if (target === undefined) return bridge.respondWithScript(request, part) ?? missing(request);
    const { path } = target;
    const version = await find(target);
    const file = version?.files.get(path);
    if (version === undefined || file === undefined) return missing(request);
    if (isPageInTab(request, path)) return redirectToLink(request, target);
    const audience: Audience = target.ticket === undefined ? "anyone" : "ticket";
    const shown = fileFor(file, request.headers, audience) ?? (await learned(version, file));
    if (bridge.isFor(request, shown)) return bridge.respond(request, shown, audience);
    return respond(request, version, file, audience);
  }

  /** Returns the version if the ticket opens it, or if it is for anyone and needs no ticket. */
  async function find({ ticket, code }: FramedTarget): Promise<CachedVersion | undefined> {
    if (ticket !== undefined) {
      return (await privateLinks.admits(ticket, code)) ? (versions.recall(code) ?? versions.load(code)) : undefined;
    }
    const version = versions.peek(code) ?? (await versions.load(code));
    return version !== undefined && isForAnyone(version.visibility) ? version : undefined;
  }

  function redirectToLink(request: Request, { ticket, code, path, query }: FramedTarget): Response {
    if (ticket !== undefined) return redirectToApp(request, code, path);
    const Location = `/${code}/${path === INDEX_FILE ? "" : path}${query}`;
    return new Response(null, { status: 302, headers: plainHeaders({ Location }) });
  }

  return serve;
}

/** Returns whether a browser opens a page in a tab, outside all frames. */
export const isPageInTab = ({ headers }: Request, path: string): boolean =>
  headers.get("sec-fetch-dest") === "document" && isPage(path);
