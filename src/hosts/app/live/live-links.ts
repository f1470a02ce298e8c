import type { Context, Hono } from "hono";
import type { Live, LiveReader } from "../../../domain/live/live.ts";
import { unauthenticated } from "../../../domain/model/failure.ts";
import type { LiveReaders } from "../../../domain/private-links/live-readers.ts";
import { missing, redirectTo, signInOrRefuse } from "../../http/page-responses.ts";
import type { FindSession } from "../../http/session-cookie.ts";
import type { Environment } from "../mount.ts";

/** `/{name}`, `/{name}/`, `/{name}/{part}`; the same after `/@{owner}`, as links to the content host have it. */
const LINK = /^(?:\/@([a-z0-9][a-z0-9-]{0,38}))?\/([a-z0-9][a-z0-9-]{0,62})(?:\/([^/]*))?$/;

interface LiveLink {
  name: string;
  /** Undefined without a slash after the name. */
  part: string | undefined;
  ownerSlug: string | undefined;
}

/** The live link of a path of this host; undefined when it is of no such form. */
function liveLinkOf(path: string): LiveLink | undefined {
  const [, ownerSlug, name, part] = LINK.exec(path) ?? [];
  return name === undefined ? undefined : { name, part, ownerSlug };
}

interface Parts {
  live: Pick<Live, "find" | "anyone">;
  liveReaders: LiveReaders;
  findSession: FindSession;
  baseUrl: string;
}

const nobody: LiveReader = { key: "nobody", session: undefined, look: async () => undefined };

/** Live links for whoever is signed in; what anyone may see is shown by the content host. */
export function mountLiveLinks(app: Hono<Environment>, { live, liveReaders, findSession, baseUrl }: Parts): void {
  app.get("*", async (context, next) => {
    const link = liveLinkOf(context.req.path);
    if (link === undefined) return next();
    return link.part ? openPart(context, link, link.part) : openPage(context, link);
  });

  async function openPage(context: Context<Environment>, link: LiveLink): Promise<Response> {
    const { headers } = context.req.raw;
    const { pathname, search } = new URL(context.req.url);
    const shown = await live.find(live.anyone, link.ownerSlug, link.name);
    if (shown?.publicUrl !== undefined) return redirectTo(shown.publicUrl + search);
    const reader = await readerOf(headers);
    if (reader === nobody) return signInOrRefuse(headers, baseUrl, pathname + search);
    if (link.part === undefined || link.ownerSlug !== undefined) return redirectToOwn(link, reader, search);
    return answer(context, link.name, "", reader);
  }

  /** What the page asks for. */
  async function openPart(context: Context<Environment>, link: LiveLink, part: string): Promise<Response> {
    if (link.ownerSlug !== undefined) return missing();
    return answer(context, link.name, part, await readerOf(context.req.raw.headers));
  }

  async function readerOf(headers: Headers): Promise<LiveReader> {
    if (headers.has("authorization")) throw unauthenticated("This link opens in a browser where you are signed in.");
    const session = await findSession(headers);
    return session === undefined ? nobody : liveReaders.signedIn(session);
  }

  async function answer(context: Context<Environment>, name: string, part: string, reader: LiveReader) {
    const response = await context.env.serveLive({ name, ownerSlug: undefined, part, reader, missing });
    // What has become a socket is answered already, and nobody reads this.
    return response ?? new Response(null);
  }

  /** Whoever's it is said to be, and with or without a slash: the address at which it is shown. */
  async function redirectToOwn({ ownerSlug, name }: LiveLink, reader: LiveReader, search: string): Promise<Response> {
    const shown = await live.find(reader, ownerSlug, name);
    return shown === undefined ? missing() : redirectTo(`${baseUrl}/${name}/${search}`);
  }
}
