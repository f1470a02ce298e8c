import type { Addresses } from "../../domain/model/links.ts";
import { INDEX_FILE } from "../../domain/model/names.ts";
import type { Admission, PrivateLinks } from "../../domain/private-links/private-links.ts";
import type { TicketedTarget } from "./addresses.ts";
import type { ServedFile } from "./forms.ts";
import { framable } from "./framable.ts";
import { isPageInTab } from "./framed.ts";
import type { Audience } from "./headers.ts";
import type { Openings } from "./openings.ts";
import type { CachedVersion, VersionCache } from "./version-cache.ts";

interface Dependencies {
  addresses: Addresses;
  versions: Pick<VersionCache, "recall" | "load">;
  privateLinks: Pick<PrivateLinks, "admits">;
  respond(request: Request, version: CachedVersion, file: ServedFile, audience: Audience): Response | Promise<Response>;
  noteOpening: Openings["noteOpening"];
  missing(request: Request): Response;
  redirectToApp(request: Request, code: string, path: string): Response;
}

/** Creates the function that serves reports to those who have a ticket. */
export function createTicketed(dependencies: Dependencies) {
  const { addresses, versions, privateLinks, respond, noteOpening, missing, redirectToApp } = dependencies;

  function serve(request: Request, target: TicketedTarget): Response | Promise<Response> {
    const admitted = privateLinks.admits(target.ticket, target.code);
    const version = versions.recall(target.code);
    const isKnown = !(admitted instanceof Promise) && version !== undefined;
    return isKnown ? serveAdmitted(request, version, target, admitted) : serveWhenAdmitted(request, target, admitted);
  }

  async function serveWhenAdmitted(
    request: Request,
    target: TicketedTarget,
    admitted: Admission | Promise<Admission | undefined>,
  ): Promise<Response> {
    const admission = await admitted;
    if (admission === undefined) return missing(request);
    const { code } = target;
    return serveAdmitted(request, versions.recall(code) ?? (await versions.load(code)), target, admission);
  }

  function serveAdmitted(
    request: Request,
    version: CachedVersion | undefined,
    { path }: TicketedTarget,
    admission: Admission,
  ): Response | Promise<Response> {
    const file = version?.files.get(path);
    if (version === undefined || file === undefined) return missing(request);
    // In a tab, the address bar would show the ticket.
    if (isPageInTab(request, path)) return redirectToApp(request, version.code, path);
    noteOpening(request, version, file, "ticket", admission);
    const response = respond(request, version, file, "ticket");
    const { embedOrigins } = admission;
    return path === INDEX_FILE && embedOrigins.length > 0 ? framable(response, addresses, embedOrigins) : response;
  }

  return serve;
}
