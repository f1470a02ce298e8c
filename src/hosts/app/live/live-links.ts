import type { Context, Hono } from "hono";
import type { Live, LiveReader } from "../../../domain/live/live.ts";
import { unauthenticated } from "../../../domain/model/failure.ts";
import { type LiveLink, livePath, parseLivePath } from "../../../domain/model/links.ts";
import type { LiveReaders } from "../../../domain/private-links/live-readers.ts";
import type { Seen } from "../../../domain/seen/seen.ts";
import { missing, missingReport, redirectTo, signInOrRefuse, toRequestPage } from "../../http/page-responses.ts";
import type { FindSession } from "../../http/session-cookie.ts";
import type { Environment } from "../mount.ts";

interface LiveLinksDependencies {
  live: Pick<Live, "find" | "anyone">;
  seen: Pick<Seen, "noteRefusal">;
  liveReaders: LiveReaders;
  findSession: FindSession;
  baseUrl: string;
}

const signedOut: LiveReader = { key: "anonymous", session: undefined, findScopes: async () => new Map() };

/** Mounts live links for signed-in readers. Public reports are redirected to the content host. */
export function mountLiveLinks(
  app: Hono<Environment>,
  { live, seen, liveReaders, findSession, baseUrl }: LiveLinksDependencies,
): void {
  app.get("*", async (context, next) => {
    const link = parseLivePath(context.req.path);
    if (link === undefined) return next();
    return link.part ? openPart(context, link, link.part) : openPage(context, link);
  });

  async function openPage(context: Context<Environment>, link: LiveLink): Promise<Response> {
    const { headers } = context.req.raw;
    const { pathname, search } = new URL(context.req.url);
    const requesting = toRequestPage(search, { name: link.name });
    if (requesting !== undefined) return requesting;
    const shown = await live.find(live.anyone, link.ownerSlug, link.name);
    if (shown?.publicUrl !== undefined) return redirectTo(shown.publicUrl + search);
    const reader = await readerOf(headers);
    if (reader === signedOut) return signInOrRefuse(headers, baseUrl, pathname + search);
    if (link.part === undefined || link.ownerSlug !== undefined) return redirectToOwn(link, reader, search);
    return answer(context, link.name, "", reader, () => refused(link.name));
  }

  /** Answers the page's own requests for data and its socket. */
  async function openPart(context: Context<Environment>, link: LiveLink, part: string): Promise<Response> {
    if (link.ownerSlug !== undefined) return missing();
    return answer(context, link.name, part, await readerOf(context.req.raw.headers), missing);
  }

  async function readerOf(headers: Headers): Promise<LiveReader> {
    if (headers.has("authorization"))
      throw unauthenticated(
        "This link only works in a browser where you are signed in. Use the API to read reports with an access token.",
      );
    const session = await findSession(headers);
    return session === undefined ? signedOut : liveReaders.signedIn(session);
  }

  async function answer(
    context: Context<Environment>,
    name: string,
    part: string,
    reader: LiveReader,
    missing: () => Response,
  ) {
    const response = await context.env.serveLive({ name, ownerSlug: undefined, part, reader, missing });
    // Hono needs a response, even though the request has become a socket.
    return response ?? new Response(null);
  }

  /** Answers someone who may not read a report, whether or not it exists. */
  function refused(name: string): Response {
    seen.noteRefusal({ name });
    return missingReport();
  }

  /** Redirects to the canonical address, without an owner and with a trailing slash. */
  async function redirectToOwn({ ownerSlug, name }: LiveLink, reader: LiveReader, search: string): Promise<Response> {
    const shown = await live.find(reader, ownerSlug, name);
    return shown === undefined
      ? refused(name)
      : redirectTo(baseUrl + livePath({ name, ownerSlug: undefined }) + search);
  }
}
