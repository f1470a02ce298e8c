import { isForAnyone } from "../../domain/model/access.ts";
import type { Addresses } from "../../domain/model/links.ts";
import { INDEX_FILE } from "../../domain/model/names.ts";
import type { Admission, PrivateLinks } from "../../domain/private-links/private-links.ts";
import { isPage } from "../http/media-types.ts";
import { type FramedTarget, framedTargetOf } from "./addresses.ts";
import type { BridgePages } from "./bridge-pages.ts";
import type { ServedFile } from "./forms.ts";
import { framable } from "./framable.ts";
import { type Audience, plainHeaders } from "./headers.ts";
import { fileFor } from "./respond.ts";
import type { CachedVersion, VersionCache } from "./version-cache.ts";

interface Dependencies {
  addresses: Addresses;
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
  addresses,
  versions,
  privateLinks,
  bridge,
  learned,
  respond,
  missing,
  redirectToApp,
}: Dependencies) {
  /** Serves what follows the mark in a path: a file of a report, or a script that the bridge loads. */
  async function serve(request: Request, part: string): Promise<Response> {
    const target = framedTargetOf(part);
    if (target === undefined) return bridge.respondWithScript(request, part) ?? missing(request);
    const { path } = target;
    const admission = await admit(target);
    const version = admission && (await find(target));
    const file = version?.files.get(path);
    if (admission === undefined || version === undefined || file === undefined) return missing(request);
    if (isPageInTab(request, path)) return redirectToLink(request, target);
    const response = respondTo(request, version, file, target.ticket === undefined ? "anyone" : "ticket");
    const { embedOrigins } = admission;
    return path === INDEX_FILE && embedOrigins.length > 0 ? framable(response, addresses, embedOrigins) : response;
  }

  async function respondTo(request: Request, version: CachedVersion, file: ServedFile, audience: Audience) {
    const shown = fileFor(file, request.headers, audience) ?? (await learned(version, file));
    if (bridge.isFor(request, shown)) return bridge.respond(request, shown, audience);
    return respond(request, version, file, audience);
  }

  /** Returns what the ticket admits to; undefined if it doesn't open the version. */
  const admit = ({ ticket, code }: FramedTarget): Admission | Promise<Admission | undefined> =>
    ticket === undefined ? { embedOrigins: [] } : privateLinks.admits(ticket, code);

  /** Returns the version if it needs no ticket, or has one. */
  async function find({ ticket, code }: FramedTarget): Promise<CachedVersion | undefined> {
    if (ticket !== undefined) return versions.recall(code) ?? versions.load(code);
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
