import type { Server } from "bun";
import { guestAddress, guestProof } from "../../contract/sharing/guest-exchange.ts";
import { type Card, type Cards, GUEST_CARD_PART } from "../../domain/cards/cards.ts";
import type { Live } from "../../domain/live/live.ts";
import { randomText } from "../../domain/model/codes.ts";
import type { Gossip } from "../../domain/model/events.ts";
import { Failure, notFound } from "../../domain/model/failure.ts";
import { JSON_BODY_BYTES } from "../../domain/model/limits.ts";
import { oembedUrl } from "../../domain/model/links.ts";
import type { Clock, Random } from "../../domain/model/ports.ts";
import type { GuestReviews } from "../../domain/reviews/guests.ts";
import type { Seen } from "../../domain/seen/seen.ts";
import type { GuestAccess, GuestProof } from "../../domain/sharing/guest-access.ts";
import type { OpenGuestLink } from "../../domain/sharing/guest-ports.ts";
import type { GuestReaders } from "../../domain/sharing/guest-readers.ts";
import { guestPath, hashSecret } from "../../domain/sharing/guest-secrets.ts";
import type { GuestUseCounter } from "../../domain/sharing/guest-uses.ts";
import { parseJson, type ReadBody } from "../http/body.ts";
import { htmlResponse } from "../http/page-responses.ts";
import { PAGE_POLICY, wantsPage } from "../http/pages.ts";
import { validate } from "../http/validation.ts";
import { currentFact } from "./facts.ts";
import { createGuestComments } from "./guest-comments.ts";
import { createGuestLimit } from "./guest-limit.ts";
import { GUEST_LINK_OVER, guestPage, NO_INDEX, TOO_MANY_LINKS } from "./guest-page.ts";
import { plainHeaders, type ShellOrigins, shellHeaders } from "./headers.ts";
import type { Subscription } from "./hub.ts";
import { GUEST_PROTOCOL, type OpenedGuestLink, PASS_HEADER } from "./messages.ts";
import { previewTags } from "./preview-tags.ts";
import { data, type LiveServer } from "./server.ts";
import type { ShellCode } from "./shell-code.ts";

interface GuestServerDependencies {
  access: GuestAccess;
  readers: GuestReaders;
  uses: Pick<GuestUseCounter, "note">;
  seen: Pick<Seen, "noteRefusal">;
  live: Pick<Live, "views">;
  cards: Pick<Cards, "ofGuestLink">;
  cardPictures: { respond(request: Request, card: Card, headers: Headers): Promise<Response> };
  reviews: GuestReviews;
  connectTo: LiveServer["connectTo"];
  serveChanges: LiveServer["serveChanges"];
  shellCode: ShellCode;
  origins: ShellOrigins;
  readBody: ReadBody;
  clock: Clock;
  gossip: Gossip;
  random: Random;
}

/** A request for `/s/{secret}/{part}`. */
export interface GuestRequest {
  request: Request;
  server: Server<Subscription>;
  /** The client's address, for limits. */
  address: string;
  secret: string;
  part: string;
}

/** What the page asks about comments. */
const COMMENT_PARTS = ["~comments", "~comment-changes", "~comment", "~reply"];

const ROBOTS = { "X-Robots-Tag": NO_INDEX };

/** Creates the server of guest links: their page, what its script asks, and its socket. */
export function createGuestServer(dependencies: GuestServerDependencies) {
  const { access, readers, uses, seen, live, cards, connectTo, serveChanges, shellCode, origins, readBody, random } =
    dependencies;
  const limit = createGuestLimit(dependencies);
  const answerComments = createGuestComments(dependencies);

  /** Returns undefined if the request has become a socket. */
  async function serve(asked: GuestRequest): Promise<Response | undefined> {
    const { request, part } = asked;
    if (part === "" && request.method !== "POST") return servePage(asked);
    const link = await find(asked);
    if (link === undefined) return over(request);
    if (COMMENT_PARTS.includes(part)) return comment(asked, link);
    if (request.method === "POST") return post(asked, link);
    return gets.get(part)?.(asked, link) ?? over(request);
  }

  const find = ({ address, secret }: GuestRequest) =>
    limit.lookUp({ address, hash: hashSecret(secret) }, () => access.find(secret));

  async function servePage(asked: GuestRequest): Promise<Response> {
    const { request } = asked;
    try {
      const link = await find(asked);
      return link === undefined ? over(request) : shell(asked, link);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== "TooManyRequests" || !wantsPage(request.headers)) throw error;
      return htmlResponse(TOO_MANY_LINKS, 429, { ...ROBOTS, "Retry-After": String(error.retryAfter ?? 1) });
    }
  }

  function shell({ secret }: GuestRequest, link: OpenGuestLink): Response {
    const nonce = randomText(random, 22);
    const headers = shellHeaders(origins, nonce, link.embedOrigins ?? []);
    headers.set("X-Robots-Tag", NO_INDEX);
    const card = cards.ofGuestLink(link, secret);
    const tags = card === undefined ? "" : previewTags(card, previewLinks(card, secret));
    return new Response(guestPage({ link, previewTags: tags, code: shellCode, nonce }), { headers });
  }

  function previewLinks({ pictureUrl }: Card, secret: string) {
    const url = origins.own + guestPath(secret);
    return { url, cardUrl: pictureUrl, oembedUrl: oembedUrl(origins.own, url) };
  }

  async function picture({ request, secret }: GuestRequest, link: OpenGuestLink): Promise<Response> {
    const card = cards.ofGuestLink(link, secret);
    if (card === undefined) return over(request);
    // The link can be revoked, so that no one may keep the picture.
    const headers = plainHeaders({ ...ROBOTS, "Cross-Origin-Resource-Policy": "cross-origin" });
    return dependencies.cardPictures.respond(request, card, headers);
  }

  /** Answers as if the link had never existed. */
  function over({ headers, method }: Request): Response {
    if (method === "POST" || !wantsPage(headers)) throw notFound("This link doesn't work. Ask for a new one.");
    const response = htmlResponse(GUEST_LINK_OVER, 404, OVER_HEADERS);
    response.headers.delete("X-Frame-Options");
    return response;
  }

  async function post(asked: GuestRequest, link: OpenGuestLink): Promise<Response> {
    const { request, part, address } = asked;
    const body = parseJson(await readBody(request, JSON_BODY_BYTES));
    if (part === "~open") return open(asked, link, body);
    if (part !== "~code") return over(request);
    const { email } = validate(guestAddress, body);
    await limit.countMail({ address, linkId: link.id, email });
    await access.sendCode(link, email);
    return answer({ ok: true });
  }

  /** Exchanges the secret, and what else the link demands, for the report. */
  async function open({ request, address }: GuestRequest, link: OpenGuestLink, body: unknown): Promise<Response> {
    const proof = validate(guestProof, body);
    const isOpen = access.mayOpen(link, passOf(request));
    const pass = isOpen ? undefined : await limit.attempt({ address, linkId: link.id }, () => unlock(link, proof));
    const view = await viewOf(link);
    if (view === undefined) return over(request);
    uses.note(link.id);
    const { slug, name } = view.publisher;
    const opened: OpenedGuestLink = {
      pass,
      publisher: { slug, name },
      live: link.isLive,
      comments: link.takesComments,
      current: currentFact(view),
    };
    return answer(opened);
  }

  /** Returns a pass, and counts a wrong password or code as an attempt that was refused. */
  async function unlock(link: OpenGuestLink, proof: GuestProof): Promise<string> {
    try {
      return await access.unlock(link, proof);
    } catch (error) {
      if (error instanceof Failure && error.kind === "Forbidden") seen.noteRefusal({ code: link.shown.version.code });
      throw error;
    }
  }

  async function viewOf(link: OpenGuestLink) {
    const reader = readers.readerOf(link);
    return (await live.views([reader], undefined)).get(reader.key);
  }

  async function current({ request }: GuestRequest, link: OpenGuestLink): Promise<Response> {
    const view = access.mayOpen(link, passOf(request)) ? await viewOf(link) : undefined;
    return view === undefined ? over(request) : data(request, currentFact(view));
  }

  async function changes({ request }: GuestRequest, link: OpenGuestLink): Promise<Response> {
    const view = access.mayOpen(link, passOf(request)) ? await viewOf(link) : undefined;
    const missing = () => over(request);
    return view === undefined ? missing() : serveChanges({ request, reader: readers.readerOf(link), missing }, view);
  }

  async function comment(asked: GuestRequest, link: OpenGuestLink): Promise<Response> {
    const { request, part, address } = asked;
    const mayOpen = (each: OpenGuestLink | undefined) => each !== undefined && access.mayOpen(each, passOf(request));
    if (!link.takesComments || !mayOpen(link)) return over(request);
    const now = async () => {
      const again = await find(asked);
      return mayOpen(again) ? again : undefined;
    };
    const content = await answerComments({ request, part, address, link, find: now });
    return content === undefined ? over(request) : answer(content);
  }

  async function connect({ request, server }: GuestRequest, link: OpenGuestLink): Promise<Response | undefined> {
    const [protocol, pass] = (request.headers.get("sec-websocket-protocol") ?? "").split(/\s*,\s*/);
    if (!access.mayOpen(link, pass)) return over(request);
    const reader = readers.readerOf(link);
    const headers: Record<string, string> =
      protocol === GUEST_PROTOCOL ? { "Sec-WebSocket-Protocol": GUEST_PROTOCOL } : {};
    return connectTo({ request, server, reader, missing: () => over(request) }, () => viewOf(link), headers);
  }

  const gets = new Map([
    ["~socket", connect],
    ["~current", current],
    ["~changes", changes],
    [GUEST_CARD_PART, picture],
  ]);

  return { serve };
}

/** Lets any page frame the page of links that have ended, which reveals nothing, so that it appears where they were embedded. */
const OVER_HEADERS = {
  ...ROBOTS,
  "Content-Security-Policy": PAGE_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const passOf = ({ headers }: Request): string | undefined => headers.get(PASS_HEADER) ?? undefined;

/** Never compressed: a title beside a ticket would let its length give the ticket away. */
const answer = (content: object): Response => {
  const headers = plainHeaders();
  headers.set("X-Robots-Tag", NO_INDEX);
  return Response.json(content, { headers });
};
