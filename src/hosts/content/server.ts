import type { Server } from "bun";
import { requireScope } from "../../domain/model/access.ts";
import type { Blobs } from "../../domain/model/blobs.ts";
import { randomText } from "../../domain/model/codes.ts";
import type { Events } from "../../domain/model/events.ts";
import { Failure, notFound } from "../../domain/model/failure.ts";
import type { Addresses } from "../../domain/model/links.ts";
import { CODE_LENGTH, CODE_PATTERN, INDEX_FILE } from "../../domain/model/names.ts";
import type { Clock, Random } from "../../domain/model/ports.ts";
import type { StoreFacts } from "../../domain/model/store.ts";
import type { PrivateLinks } from "../../domain/private-links/private-links.ts";
import { isTicket } from "../../domain/private-links/tickets.ts";
import type { Damage } from "../../domain/reports/damage.ts";
import type { ServeStore } from "../../domain/reports/ports.ts";
import type { Reading } from "../../domain/reports/reading.ts";
import type { Tokens } from "../../domain/tokens/tokens.ts";
import type { Log } from "../../observability/log.ts";
import type { Readiness } from "../../observability/readiness.ts";
import type { Threads } from "../../threads/threads.ts";
import { authenticateBearer, bearerToken } from "../http/bearer.ts";
import type { FindAddress } from "../http/client-address.ts";
import { describeFailure } from "../http/failures.ts";
import { iconResponse, isIconPath } from "../http/icon.ts";
import { isPage } from "../http/media-types.ts";
import { DAMAGED_PAGE, notFoundPage, wantsPage } from "../http/pages.ts";
import { answerReady, READY_PATH } from "../http/ready.ts";
import { createCompressor } from "./compressor.ts";
import { createEncodingReader } from "./encodings.ts";
import { createFileBytes } from "./file-bytes.ts";
import type { ServedFile } from "./forms.ts";
import { ALLOWED_METHODS, createFileHeaders, plainHeaders, preflightHeaders } from "./headers.ts";
import { type LiveLink, liveLinkOf } from "./live-links.ts";
import { createResponder } from "./respond.ts";
import { type CachedVersion, createVersionCache } from "./version-cache.ts";

export interface ContentHostParts<Data> {
  addresses: Addresses;
  store: ServeStore & Pick<StoreFacts, "changeMark">;
  blobs: Blobs;
  events: Events;
  tokens: Pick<Tokens, "authenticate">;
  reading: Pick<Reading, "authorize">;
  privateLinks: Pick<PrivateLinks, "admits">;
  /** Answers what is asked of a public live link, unless it becomes a socket. */
  serveLive(
    request: Request,
    link: LiveLink & { part: string },
    server: Server<Data>,
    missing: () => Response,
  ): Promise<Response | undefined>;
  readiness: Pick<Readiness, "isReady" | "report">;
  damage: Pick<Damage, "failureFor" | "recovered">;
  findAddress: FindAddress;
  clock: Clock;
  random: Random;
  threads: Threads;
  log: Log;
}

/** Addresses whose file is remembered; made-up ones only empty the memory. */
const KNOWN_ADDRESSES = 10_000;
/** Characters of an address that is worth remembering. Links are shorter, and what is longer would cost memory. */
const KNOWN_ADDRESS_LENGTH = 200;

/** The content host: published files, without cookies, on a path with nothing between the socket and the bytes. */
export function createContentHost<Data>(parts: ContentHostParts<Data>) {
  const { addresses, store, blobs, events, clock, random, log, tokens, reading, privateLinks } = parts;
  const pageForMissing = notFoundPage(`${addresses.baseUrl}/-/sign-in`);
  const compressor = createCompressor(parts);
  const versions = createVersionCache({ store, events, clock });
  const respond = createResponder({
    fileBytes: createFileBytes({ blobs, compressor, damage: parts.damage }),
    fileHeaders: createFileHeaders(addresses),
    readEncodings: createEncodingReader(),
  });

  const known = new Map<string, { version: CachedVersion; file: ServedFile }>();

  function fetch(request: Request, server: Server<Data>): Response | Promise<Response | undefined> {
    try {
      if (request.method === "OPTIONS") return answerPreflight();
      if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowed();
      const place = known.get(request.url);
      if (place !== undefined && isForAnyone(request, place.version)) {
        return respondToAnyone(request, place.version, place.file);
      }
      return serve(request, server);
    } catch (error) {
      return failed(request, error);
    }
  }

  const isForAnyone = (request: Request, version: CachedVersion) =>
    versions.isCurrent(version) && version.visibility === "public" && !request.headers.has("authorization");

  function serve(request: Request, server: Server<Data>): Response | Promise<Response | undefined> {
    const target = targetOf(request.url);
    if (target === undefined) return serveOther(request, server);
    const { code, path } = target;
    if (path === undefined) return redirectToDirectory(target);
    if (bearerToken(request.headers) !== undefined) {
      return serveToBearer(request, code, path).catch((error) => failed(request, error));
    }
    const version = versions.peek(code);
    if (version !== undefined) return serveToAnyone(request, version, path);
    return versions
      .load(code)
      .then((loaded) => serveToAnyone(request, loaded, path))
      .catch((error) => failed(request, error));
  }

  function serveOther(request: Request, server: Server<Data>) {
    const ticketed = ticketedTargetOf(request.url);
    if (ticketed === undefined) return serveLive(request, server);
    return serveToTicket(request, ticketed);
  }

  function serveLive(request: Request, server: Server<Data>): Response | Promise<Response | undefined> {
    const link = liveLinkOf(request.url);
    if (link === undefined) return serveRest(request, server);
    const { ownerSlug, name, part } = link;
    if (part === undefined) return redirectTo(`/@${ownerSlug}/${name}/${new URL(request.url).search}`);
    return parts
      .serveLive(request, { ownerSlug, name, part }, server, () => missingLive(request, link))
      .catch((error) => failed(request, error));
  }

  function serveRest(request: Request, server: Server<Data>): Response | Promise<Response> {
    // Without a valid Host header the address is none.
    const url = URL.parse(request.url);
    const path = url?.pathname ?? "";
    if (url && path === READY_PATH) {
      return answerReady(parts.readiness, { url, address: parts.findAddress(request, server) }, plainHeaders);
    }
    return isIconPath(path) ? iconResponse(path, plainHeaders) : missing(request);
  }

  /** Only the other host knows who is signed in; whether there is such a link at all is not told here. */
  function missingLive(request: Request, { ownerSlug, name, part }: LiveLink): Response {
    if (part !== "" || !wantsPage(request.headers)) return missing(request);
    const Location = `${addresses.baseUrl}/@${ownerSlug}/${name}/${new URL(request.url).search}`;
    return new Response(null, { status: 302, headers: plainHeaders({ Location }) });
  }

  function serveToAnyone(request: Request, version: CachedVersion | undefined, path: string) {
    if (version?.visibility === "org" && wantsPage(request.headers)) return redirectToApp(request, version.code, path);
    if (version?.visibility !== "public") return missing(request);
    const file = version.files.get(path);
    if (file === undefined) return missing(request);
    remember(request.url, { version, file });
    return respondToAnyone(request, version, file);
  }

  /** Keeps the file of an address, unless a client could make up any number of such addresses or long ones. */
  function remember(url: string, place: { version: CachedVersion; file: ServedFile }): void {
    if (url.length > KNOWN_ADDRESS_LENGTH || url.includes("?")) return;
    if (known.size >= KNOWN_ADDRESSES) known.clear();
    known.set(url, place);
  }

  function respondToAnyone(request: Request, version: CachedVersion, file: ServedFile) {
    const response = respond(request, version, file, "anyone");
    return response instanceof Promise ? response.catch((error) => failed(request, error)) : response;
  }

  function serveToTicket(request: Request, target: TicketedTarget): Response | Promise<Response> {
    const admits = privateLinks.admits(target.ticket, target.code);
    const version = versions.recall(target.code);
    if (admits === true && version !== undefined) return serveAdmitted(request, version, target.path);
    return serveWhenAdmitted(request, target, admits).catch((error) => failed(request, error));
  }

  async function serveWhenAdmitted(
    request: Request,
    { code, path }: TicketedTarget,
    admits: boolean | Promise<boolean>,
  ): Promise<Response> {
    if (!(await admits)) return missing(request);
    return serveAdmitted(request, versions.recall(code) ?? (await versions.load(code)), path);
  }

  function serveAdmitted(request: Request, version: CachedVersion | undefined, path: string) {
    const file = version?.files.get(path);
    if (version === undefined || file === undefined) return missing(request);
    // In a tab of its own it would show its ticket in the address bar, for anybody to copy.
    const isTab = request.headers.get("sec-fetch-dest") === "document";
    if (isTab && isPage(path)) return redirectToApp(request, version.code, path);
    const response = respond(request, version, file, "ticket");
    return response instanceof Promise ? response.catch((error) => failed(request, error)) : response;
  }

  /** To the host that knows who is signed in. */
  const redirectToApp = (request: Request, code: string, path: string) => {
    const Location = `${addresses.baseUrl}/${code}/${path === INDEX_FILE ? "" : path}${new URL(request.url).search}`;
    return new Response(null, { status: 302, headers: plainHeaders({ Location }) });
  };

  const missing = (request: Request) =>
    failureResponse(request, 404, "There is no such report or file.", {}, pageForMissing);

  /** A page for people, JSON for programs. */
  function failureResponse(
    request: Request,
    status: number,
    error: string,
    extra: Record<string, string>,
    page: string,
  ): Response {
    if (status !== 404 || !wantsPage(request.headers)) {
      return Response.json({ error }, { status, headers: plainHeaders(extra) });
    }
    const headers = plainHeaders({ "Content-Type": "text/html; charset=utf-8", ...extra });
    return new Response(page, { status, headers });
  }

  async function serveToBearer(request: Request, code: string, path: string): Promise<Response> {
    const caller = await authenticateBearer(request.headers, tokens);
    const version = versions.peek(code) ?? (await versions.load(code));
    if (version?.visibility !== "public") {
      requireScope(caller, "reports:read");
      await reading.authorize(caller, code);
    }
    const file = version?.files.get(path);
    if (version === undefined || file === undefined) throw notFound("There is no such report or file.");
    return respond(request, version, file, "bearer");
  }

  function failed(request: Request, error: unknown): Response {
    const requestId = randomText(random, 16);
    const { status, message, headers } = describeFailure(error, requestId, log);
    const page = error instanceof Failure && error.kind === "Damaged" ? DAMAGED_PAGE : pageForMissing;
    return failureResponse(request, status, message, { ...headers, "X-Request-Id": requestId }, page);
  }

  function stop(): void {
    versions.stop();
    compressor.stop();
  }

  return { fetch, stop };
}

interface Target {
  code: string;
  /** Undefined for `/{code}` without a slash. */
  path: string | undefined;
  /** With its question mark, or empty. */
  query: string;
}

interface TicketedTarget {
  ticket: string;
  code: string;
  path: string;
}

/** The same of `/{ticket}/{code}/{path}`. */
function ticketedTargetOf(url: string): TicketedTarget | undefined {
  const start = url.indexOf("/", 8) + 1;
  const end = url.indexOf("/", start);
  const ticket = url.slice(start, end);
  const target = isTicket(ticket) ? targetOf(url, end + 1) : undefined;
  return target?.path === undefined ? undefined : { ticket, code: target.code, path: target.path };
}

/** Where `/{code}/{path}` of an address leads; undefined when it is of no such form. */
function targetOf(url: string, start = url.indexOf("/", 8) + 1): Target | undefined {
  const code = url.slice(start, start + CODE_LENGTH);
  if (!CODE_PATTERN.test(code)) return undefined;
  const mark = url.indexOf("?", start);
  const end = mark < 0 ? url.length : mark;
  const rest = url.slice(start + CODE_LENGTH, end);
  const query = url.slice(end);
  if (rest === "/") return { code, path: INDEX_FILE, query };
  if (rest === "") return { code, path: undefined, query };
  if (!rest.startsWith("/")) return undefined;
  return { code, path: decodePath(rest.slice(1)) ?? "", query };
}

function decodePath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const redirectToDirectory = ({ code, query }: Target) => redirectTo(`/${code}/${query}`);

const redirectTo = (path: string) => new Response(null, { status: 308, headers: plainHeaders({ Location: path }) });

const methodNotAllowed = () =>
  Response.json(
    { error: "Only GET, HEAD and OPTIONS are allowed here." },
    { status: 405, headers: plainHeaders({ Allow: ALLOWED_METHODS }) },
  );

/** The same for every address, so that it tells nothing about what is there. */
const answerPreflight = () => new Response(null, { status: 204, headers: preflightHeaders() });
