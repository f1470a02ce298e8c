import { requireScope } from "../../domain/access.ts";
import { randomText } from "../../domain/codes.ts";
import { notFound } from "../../domain/failure.ts";
import type { Addresses } from "../../domain/links.ts";
import { CODE_LENGTH, CODE_PATTERN, INDEX_FILE } from "../../domain/names.ts";
import type { Blobs, Clock, Events, Random, ServeStore } from "../../domain/ports.ts";
import type { Reading } from "../../domain/reading.ts";
import type { Tokens } from "../../domain/tokens.ts";
import { authenticateBearer, bearerToken } from "../bearer.ts";
import { describeFailure, type Log } from "../failures.ts";
import { notFoundPage } from "../pages.ts";
import { createCompressor } from "./compressor.ts";
import { createEncodingReader } from "./encodings.ts";
import { createFileBytes } from "./file-bytes.ts";
import type { ServedFile } from "./forms.ts";
import { createFileHeaders, plainHeaders } from "./headers.ts";
import { createResponder } from "./respond.ts";
import { type CachedVersion, createVersionCache } from "./version-cache.ts";

export interface ContentHostParts {
  addresses: Addresses;
  store: ServeStore;
  blobs: Blobs;
  events: Events;
  tokens: Pick<Tokens, "authenticate">;
  reading: Reading;
  clock: Clock;
  random: Random;
  log: Log;
}

/** Addresses whose file is remembered; whoever makes up more of them only empties the memory. */
const KNOWN_ADDRESSES = 10_000;

/** The content host: published files, without cookies, on a path with nothing between the socket and the bytes. */
export function createContentHost(parts: ContentHostParts) {
  const { store, blobs, events, clock, random, log, tokens, reading } = parts;
  const compressor = createCompressor({ blobs, store, events, log });
  const versions = createVersionCache({ store, events, clock });
  const respond = createResponder({
    fileBytes: createFileBytes({ blobs, compressor }),
    fileHeaders: createFileHeaders(parts.addresses),
    readEncodings: createEncodingReader(),
  });

  const known = new Map<string, { version: CachedVersion; file: ServedFile }>();

  function fetch(request: Request): Response | Promise<Response> {
    try {
      if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowed();
      const place = known.get(request.url);
      if (place !== undefined && isForAnyone(request, place.version)) {
        return respondToAnyone(request, place.version, place.file);
      }
      return serve(request);
    } catch (error) {
      return failed(request, error);
    }
  }

  const isForAnyone = (request: Request, version: CachedVersion) =>
    versions.isCurrent(version) && version.visibility === "public" && !request.headers.has("authorization");

  function serve(request: Request): Response | Promise<Response> {
    const target = targetOf(request.url);
    if (target === undefined) return missing(request);
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

  function serveToAnyone(request: Request, version: CachedVersion | undefined, path: string) {
    if (version?.visibility !== "public") return missing(request);
    const file = version.files.get(path);
    if (file === undefined) return missing(request);
    if (known.size >= KNOWN_ADDRESSES) known.clear();
    known.set(request.url, { version, file });
    return respondToAnyone(request, version, file);
  }

  function respondToAnyone(request: Request, version: CachedVersion, file: ServedFile) {
    const response = respond(request, version, file, "anyone");
    return response instanceof Promise ? response.catch((error) => failed(request, error)) : response;
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
    return failureResponse(request, status, message, { ...headers, "X-Request-Id": requestId });
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

/** Where `/{code}/{path}` of an address leads; undefined when it is of no such form. */
function targetOf(url: string): Target | undefined {
  const start = url.indexOf("/", 8) + 1;
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

const redirectToDirectory = ({ code, query }: Target) =>
  new Response(null, { status: 308, headers: plainHeaders({ Location: `/${code}/${query}` }) });

const methodNotAllowed = () =>
  Response.json(
    { error: "Only GET and HEAD are allowed here." },
    { status: 405, headers: plainHeaders({ Allow: "GET, HEAD" }) },
  );

const missing = (request: Request) => failureResponse(request, 404, "There is no such report or file.", {});

/** A page for people, JSON for programs. */
function failureResponse(request: Request, status: number, error: string, extra: Record<string, string>): Response {
  const wantsPage = status === 404 && request.headers.get("accept")?.includes("text/html");
  if (!wantsPage) return Response.json({ error }, { status, headers: plainHeaders(extra) });
  const headers = plainHeaders({ "Content-Type": "text/html; charset=utf-8", ...extra });
  return new Response(notFoundPage(), { status, headers });
}
