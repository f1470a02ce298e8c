import type { Server } from "bun";
import type { Live, LiveReader, LiveView } from "../../domain/live/live.ts";
import { randomText } from "../../domain/model/codes.ts";
import type { Events, Gossip } from "../../domain/model/events.ts";
import { EMBED_PART, EMBED_PATH, type Links, oembedUrl } from "../../domain/model/links.ts";
import type { Clock, Random } from "../../domain/model/ports.ts";
import type { Seen } from "../../domain/seen/seen.ts";
import type { Log } from "../../observability/log.ts";
import type { FindVersionChanges } from "../http/changes/version-changes.ts";
import type { FindAddress } from "../http/client-address.ts";
import { compressedText } from "../http/compression.ts";
import { matchesEtag } from "../http/etags.ts";
import { asksForPrivacy } from "../http/privacy.ts";
import { changesFact, currentFact, versionsFact } from "./facts.ts";
import type { NoteFanOut } from "./fan-out.ts";
import { dataHeaders, embedHeaders, type ShellOrigins, shellHeaders } from "./headers.ts";
import { createHub, type Subscription } from "./hub.ts";
import { livePage } from "./page.ts";
import type { ShellCode } from "./shell-code.ts";
import type { SocketLimits } from "./socket-limits.ts";
import { createUpgrade } from "./upgrade.ts";
import { type FramableVersion, versionPage } from "./version-page.ts";

interface LiveServerDependencies {
  shellCode: ShellCode;
  live: Live;
  seen: Pick<Seen, "namesReader">;
  links: Pick<Links, "card">;
  baseUrl: string;
  events: Events;
  gossip: Gossip;
  findAddress: FindAddress;
  clock: Clock;
  random: Random;
  log: Log;
  noteFanOut?: NoteFanOut | undefined;
  origins: ShellOrigins;
  limits: SocketLimits;
  findChanges: FindVersionChanges;
}

/** A parsed request for a live link. */
export interface LiveRequest {
  request: Request;
  server: Server<Subscription>;
  /** Undefined if the address does not name the owner. */
  ownerSlug: string | undefined;
  name: string;
  /** The path after the link's slash. */
  part: string;
  reader: LiveReader;
  /** Returns the host's response for links without a report that the reader can access. */
  missing(): Response;
}

/** A request for the versions of the report that a version belongs to. */
interface SiblingsRequest {
  code: string;
  reader: LiveReader;
  missing(): Response;
}

/** Creates the server of shells, their data and their sockets. */
export function createLiveServer(dependencies: LiveServerDependencies) {
  const { live, seen, links, events, gossip, findAddress, clock, random, log, noteFanOut, origins, limits, shellCode } =
    dependencies;
  const hub = createHub({ live, events, clock, log, noteFanOut });
  const {
    upgrade,
    release,
    stop: stopUpgrades,
  } = createUpgrade({
    origin: origins.own,
    topic: origins.own === origins.content ? "anybody's sockets" : "sockets of sessions",
    limits,
    events,
    gossip,
    findAddress,
  });

  /** Returns undefined if the request has become a socket. */
  async function serve(asked: LiveRequest): Promise<Response | undefined> {
    if (asked.part === "~socket") return connect(asked);
    const view = await find(asked);
    if (view === undefined) return asked.missing();
    if (asked.part === "") return shell(asked, view);
    if (asked.part === "~current") return data(asked.request, currentFact(view));
    if (asked.part === EMBED_PART && origins.own === origins.content) return redirectToEmbedded(view);
    if (asked.part === "~changes") return serveChanges(asked, view);
    if (asked.part !== "~versions") return asked.missing();
    return data(asked.request, versionsFact(await live.versions(asked.reader, view.item)));
  }

  /** Returns what changed since the version that the page showed before. */
  async function serveChanges(
    { request, reader, missing }: Pick<LiveRequest, "request" | "reader" | "missing">,
    { item, code }: LiveView,
  ): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const from = searchParams.get("from") ?? "";
    if (!(await live.mayCompare(reader, item, from))) return missing();
    const found = await dependencies.findChanges({ from, to: code, user: `report ${item.id}` });
    return found === undefined ? missing() : data(request, changesFact(found, searchParams.has("list")));
  }

  const find = ({ reader, ownerSlug, name }: LiveRequest) => live.find(reader, ownerSlug, name);

  function shell({ request, reader }: LiveRequest, view: LiveView): Promise<Response> {
    const isSignedIn = reader.session !== undefined;
    const { workspaceId, creatorId } = view.item;
    const { session } = reader;
    const isMaker = session !== undefined && [creatorId, view.creatorId].includes(session.userId);
    const isRecorded = isSignedIn && !isMaker && seen.namesReader(workspaceId, asksForPrivacy(request.headers));
    const comments = isSignedIn || `${dependencies.baseUrl}/-/r/${view.name}?comments=true`;
    return respondWithShell(request, isSignedIn, (nonce) =>
      livePage({ view, publicLinks: publicLinksOf(view), isSignedIn, isRecorded, comments, code: shellCode, nonce }),
    );
  }

  const publicLinksOf = ({ publicUrl: url, code }: LiveView) =>
    url === undefined ? undefined : { url, cardUrl: links.card(code), oembedUrl: oembedUrl(dependencies.baseUrl, url) };

  /** Returns the shell of a version link. */
  function serveVersion(request: Request, shown: FramableVersion): Promise<Response> {
    const isRecorded = !shown.isMaker && seen.namesReader(shown.workspaceId, asksForPrivacy(request.headers));
    return respondWithShell(request, true, (nonce) => versionPage({ shown, isRecorded, code: shellCode, nonce }));
  }

  /** Returns the versions of the report that a version link's version belongs to. */
  async function serveSiblings(request: Request, { code, reader, missing }: SiblingsRequest): Promise<Response> {
    const siblings = await live.siblings(reader, code);
    return siblings === undefined ? missing() : data(request, versionsFact(siblings));
  }

  /** Responds with a shell, uncompressed if the title stands beside a ticket, which its length would then give away. */
  async function respondWithShell(
    { headers: request }: Request,
    hasTicket: boolean,
    build: (nonce: string) => string,
  ): Promise<Response> {
    const nonce = randomText(random, 22);
    const headers = shellHeaders(origins, nonce);
    const html = build(nonce);
    return hasTicket ? new Response(html, { headers }) : compressedText(request, html, { status: 200, headers });
  }

  const connect = (asked: LiveRequest): Promise<Response | undefined> => connectTo(asked, () => find(asked));

  /** Turns a request into a socket of the report that a reader sees. Returns a response if it can't become one. */
  const connectTo = (
    { request, server, reader, missing }: Omit<LiveRequest, "ownerSlug" | "name" | "part">,
    findView: () => Promise<LiveView | undefined>,
    headers: Record<string, string> = {},
  ): Promise<Response | undefined> =>
    upgrade(request, server, async (address) => {
      const view = await findView();
      if (view === undefined) return missing();
      const { id: itemId, workspaceId } = view.item;
      return server.upgrade(request, { data: { itemId, workspaceId, reader, address }, headers });
    });

  const sockets = {
    open: hub.open,
    close(socket: Parameters<typeof hub.close>[0]) {
      release(socket.data.address);
      hub.close(socket);
    },
  };

  function stop(): void {
    stopUpgrades();
    hub.stop();
  }

  return { serve, serveVersion, serveSiblings, serveChanges, connectTo, sockets, stop };
}

/** Leads a frame on any page to the current version. */
const redirectToEmbedded = ({ code }: LiveView) =>
  new Response(null, { status: 302, headers: embedHeaders({ Location: `${EMBED_PATH}${code}/` }) });

/** Returns data for a shell, which its browser revalidates. */
export function data(request: Request, content: object): Response {
  const body = JSON.stringify(content);
  const etag = `"${Bun.hash(body).toString(36)}"`;
  const headers = dataHeaders({ ETag: etag });
  if (matchesEtag(request.headers.get("if-none-match") ?? "", etag))
    return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}

export type LiveServer = ReturnType<typeof createLiveServer>;
