import type { Server } from "bun";
import { PREVIEW_PATH } from "../../contract/model/frames.ts";
import type { Cards } from "../../domain/cards/cards.ts";
import { isForAnyone, requireScope } from "../../domain/model/access.ts";
import type { Blobs } from "../../domain/model/blobs.ts";
import { randomText } from "../../domain/model/codes.ts";
import type { Events } from "../../domain/model/events.ts";
import { Failure, notFound } from "../../domain/model/failure.ts";
import { type Addresses, codeOfCard, type LiveLink, livePath } from "../../domain/model/links.ts";
import { FRAMED_MARK, INDEX_FILE } from "../../domain/model/names.ts";
import type { Clock, Random } from "../../domain/model/ports.ts";
import type { StoreFacts } from "../../domain/model/store.ts";
import type { PrivateLinks } from "../../domain/private-links/private-links.ts";
import type { Damage } from "../../domain/reports/damage.ts";
import type { ServeStore } from "../../domain/reports/ports.ts";
import type { Reading } from "../../domain/reports/reading.ts";
import type { Seen } from "../../domain/seen/seen.ts";
import type { Tokens } from "../../domain/tokens/tokens.ts";
import type { Log } from "../../observability/log.ts";
import { readTraceContext } from "../../observability/tracing/trace-context.ts";
import type { Threads } from "../../threads/threads.ts";
import { authenticateBearer, bearerToken } from "../http/bearer.ts";
import type { FindAddress } from "../http/client-address.ts";
import { createEncodingReader } from "../http/encodings.ts";
import { describeFailure } from "../http/failures.ts";
import { iconResponse, isIconPath } from "../http/icon.ts";
import { DAMAGED_PAGE, notFoundPage, wantsPage } from "../http/pages.ts";
import { answerLive, answerReady, LIVE_PATH, READY_PATH, type ReadyDependencies } from "../http/ready.ts";
import type { ServeShellFile } from "../http/shell-files.ts";
import {
  embeddedTargetOf,
  framedPartOf,
  liveLinkOf,
  type Target,
  type TicketedTarget,
  targetOf,
  ticketedTargetOf,
} from "./addresses.ts";
import type { BridgeCode } from "./bridge-code.ts";
import { createBridgePages } from "./bridge-pages.ts";
import type { CardPictures } from "./cards/pictures.ts";
import { createCardServer } from "./cards/serve-card.ts";
import { createCompressor } from "./compressor.ts";
import { createFileBytes } from "./file-bytes.ts";
import type { ServedFile } from "./forms.ts";
import { createFramed } from "./framed.ts";
import { createFileHeaders, plainHeaders, previewHeaders } from "./headers.ts";
import { createOpenings } from "./openings.ts";
import { answerPreflight, methodNotAllowed, redirectTo } from "./plain-answers.ts";
import { previewPage } from "./preview-page.ts";
import { createResponder } from "./respond.ts";
import { createTicketed } from "./ticketed.ts";
import { type CachedVersion, createVersionCache } from "./version-cache.ts";

export interface ContentHostDependencies<Data> extends ReadyDependencies {
  addresses: Addresses;
  store: ServeStore & Pick<StoreFacts, "changeMark">;
  blobs: Blobs;
  events: Events;
  tokens: Pick<Tokens, "authenticate">;
  reading: Pick<Reading, "authorize">;
  privateLinks: Pick<PrivateLinks, "admits">;
  cards: Pick<Cards, "ofCode">;
  cardPictures: CardPictures;
  seen: Pick<Seen, "modeOf" | "noteOpening" | "noteRefusal">;
  /** Serves a public live link; undefined if the request became a socket. */
  serveLive(
    request: Request,
    link: LiveLink & { part: string },
    server: Server<Data>,
    missing: () => Response,
  ): Promise<Response | undefined>;
  damage: Pick<Damage, "failureFor" | "recovered">;
  bridgeCode: BridgeCode;
  serveShellFile: ServeShellFile;
  findAddress: FindAddress;
  clock: Clock;
  random: Random;
  threads: Threads;
  log: Log;
}

/** URLs whose file is remembered; more than that clear the memory. */
const KNOWN_ADDRESSES = 10_000;
/** Characters of a URL that is worth remembering. Links are shorter. */
const KNOWN_ADDRESS_LENGTH = 200;

/** Creates the content host, which serves published files without cookies and with little between socket and bytes. */
export function createContentHost<Data>(dependencies: ContentHostDependencies<Data>) {
  const { addresses, store, blobs, events, clock, random, log, tokens, reading, privateLinks, seen } = dependencies;
  const pageForMissing = notFoundPage({ signInUrl: `${addresses.baseUrl}/-/sign-in` });
  const compressor = createCompressor(dependencies);
  const versions = createVersionCache({ store, events, clock });
  const fileBytes = createFileBytes({ blobs, compressor, damage: dependencies.damage });
  const fileHeaders = createFileHeaders(addresses);
  const respond = createResponder({ fileBytes, fileHeaders, readEncodings: createEncodingReader() });
  const { noteOpening, noteRefusal } = createOpenings(seen);
  const bridge = createBridgePages({
    code: dependencies.bridgeCode,
    directory: `/${FRAMED_MARK}/`,
    fileBytes,
    fileHeaders,
  });

  const known = new Map<string, { version: CachedVersion; file: ServedFile }>();

  function fetch(request: Request, server: Server<Data>): Response | Promise<Response | undefined> {
    try {
      if (request.method === "OPTIONS") return answerPreflight();
      if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowed();
      const place = known.get(request.url);
      if (place !== undefined && needsNoCheck(request, place.version)) {
        return respondToAnyone(request, place.version, place.file);
      }
      return serve(request, server);
    } catch (error) {
      return failed(request, error);
    }
  }

  const needsNoCheck = (request: Request, version: CachedVersion) =>
    versions.isCurrent(version) && isForAnyone(version.visibility) && !request.headers.has("authorization");

  function serve(request: Request, server: Server<Data>): Response | Promise<Response | undefined> {
    const target = targetOf(request.url);
    if (target === undefined) return serveOther(request, server);
    const { code, path, query } = target;
    if (path === undefined) return redirectTo(`/${code}/${query}`);
    if (bearerToken(request.headers) !== undefined) {
      return serveToBearer(request, code, path).catch((error) => failed(request, error));
    }
    const version = versions.peek(code);
    if (version !== undefined) return serveToAnyone(request, code, version, path);
    return versions
      .load(code)
      .then((loaded) => serveToAnyone(request, code, loaded, path))
      .catch((error) => failed(request, error));
  }

  function serveOther(request: Request, server: Server<Data>) {
    const embedded = embeddedTargetOf(request.url);
    if (embedded !== undefined) return serveEmbedded(request, embedded).catch((error) => failed(request, error));
    const framed = framedPartOf(request.url);
    if (framed !== undefined) return serveFramed(request, framed).catch((error) => failed(request, error));
    const ticketed = ticketedTargetOf(request.url);
    if (ticketed === undefined) return serveCard(request) ?? serveLive(request, server);
    return serveToTicket(request, ticketed);
  }

  /** Serves the card of a public report; undefined for other URLs. */
  function serveCard(request: Request): Promise<Response> | undefined {
    const code = codeOfCard(URL.parse(request.url)?.pathname ?? "");
    return code === undefined ? undefined : respondWithCard(request, code).catch((error) => failed(request, error));
  }

  /** Serves a public report to a frame on any page. */
  async function serveEmbedded(request: Request, { code, path }: Target): Promise<Response> {
    const version = versions.peek(code) ?? (await versions.load(code));
    const file = path === undefined || version === undefined ? undefined : version.files.get(path);
    if (version === undefined || file === undefined || !isForAnyone(version.visibility)) return missing(request);
    noteOpening(request, version, file, "embed");
    return respond(request, version, file, "embed");
  }

  function serveLive(request: Request, server: Server<Data>): Response | Promise<Response | undefined> {
    const link = liveLinkOf(request.url);
    if (link === undefined) return serveRest(request, server);
    const { part } = link;
    if (part === undefined) return redirectTo(livePath(link) + new URL(request.url).search);
    return dependencies
      .serveLive(request, { ...link, part }, server, () => missingLive(request, link))
      .catch((error) => failed(request, error));
  }

  function serveRest(request: Request, server: Server<Data>): Response | Promise<Response> {
    // Without a valid Host header this isn't a URL.
    const url = URL.parse(request.url);
    const path = url?.pathname ?? "";
    if (url && path === READY_PATH) {
      const { headers } = request;
      return answerReady(
        dependencies,
        { url, headers, address: dependencies.findAddress(request, server) },
        plainHeaders,
      );
    }
    if (path === LIVE_PATH) return answerLive(plainHeaders);
    if (path === PREVIEW_PATH) {
      return new Response(previewPage(addresses.baseUrl), { headers: previewHeaders(addresses) });
    }
    if (isIconPath(path)) return iconResponse(path, plainHeaders);
    return dependencies.serveShellFile(request, path) ?? missing(request);
  }

  /** Redirects to the application host, which knows who is signed in, whether or not the link exists. */
  function missingLive(request: Request, link: LiveLink): Response {
    if (link.part !== "" || !wantsPage(request.headers)) return missing(request);
    const Location = addresses.baseUrl + livePath(link) + new URL(request.url).search;
    return new Response(null, { status: 302, headers: plainHeaders({ Location }) });
  }

  function serveToAnyone(request: Request, code: string, version: CachedVersion | undefined, path: string) {
    if (version?.visibility === "org" && wantsPage(request.headers)) return redirectToApp(request, version.code, path);
    if (version === undefined || !isForAnyone(version.visibility)) {
      noteRefusal(request, code, path);
      return missing(request);
    }
    const file = version.files.get(path);
    if (file === undefined) return missing(request);
    remember(request.url, { version, file });
    return respondToAnyone(request, version, file);
  }

  /** Remembers the file of a URL, unless clients could make up any number of such URLs. */
  function remember(url: string, place: { version: CachedVersion; file: ServedFile }): void {
    if (url.length > KNOWN_ADDRESS_LENGTH || url.includes("?")) return;
    if (known.size >= KNOWN_ADDRESSES) known.clear();
    known.set(url, place);
  }

  function respondToAnyone(request: Request, version: CachedVersion, file: ServedFile) {
    noteOpening(request, version, file, "anyone");
    const response = respond(request, version, file, "anyone");
    return response instanceof Promise ? response.catch((error) => failed(request, error)) : response;
  }

  function serveToTicket(request: Request, target: TicketedTarget): Response | Promise<Response> {
    const response = serveTicketed(request, target);
    return response instanceof Promise ? response.catch((error) => failed(request, error)) : response;
  }

  /** Redirects to the application host, which knows who is signed in. */
  const redirectToApp = (request: Request, code: string, path: string) => {
    const Location = `${addresses.baseUrl}/${code}/${path === INDEX_FILE ? "" : path}${new URL(request.url).search}`;
    return new Response(null, { status: 302, headers: plainHeaders({ Location }) });
  };

  const missing = (request: Request) =>
    failureResponse(request, 404, "There is no such report or file.", {}, pageForMissing);

  const respondWithCard = createCardServer({ ...dependencies, missing });
  const learned = async (version: CachedVersion, file: ServedFile): Promise<ServedFile> => {
    await fileBytes.learnStandIn(version.code, file);
    return file.standIn ?? file;
  };
  const ticketedParts = { addresses, versions, privateLinks, respond, noteOpening, missing, redirectToApp };
  const serveTicketed = createTicketed(ticketedParts);
  const serveFramed = createFramed({ ...ticketedParts, bridge, learned });

  /** Responds with a page for people and JSON for programs. */
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
    if (version === undefined || !isForAnyone(version.visibility)) {
      requireScope(caller, "reports:read");
      await reading.authorize(caller, code);
    }
    const file = version?.files.get(path);
    if (version === undefined || file === undefined) throw notFound("There is no such report or file.");
    return respond(request, version, file, "bearer");
  }

  function failed(request: Request, error: unknown): Response {
    const requestId = randomText(random, 16);
    const trace_id = readTraceContext(request.headers)?.traceId;
    const { status, message, headers } = describeFailure(error, requestId, log.child({ trace_id }));
    const page = error instanceof Failure && error.kind === "Damaged" ? DAMAGED_PAGE : pageForMissing;
    return failureResponse(request, status, message, { ...headers, "X-Request-Id": requestId }, page);
  }

  function stop(): void {
    versions.stop();
    compressor.stop();
    dependencies.cardPictures.stop();
  }

  /** Returns what the caches and queues of this host have to say to operators. */
  const counts = () => ({
    files: fileBytes.looks,
    versions: versions.looks,
    waitingCompressions: compressor.waiting(),
  });

  return { fetch, counts, stop };
}
