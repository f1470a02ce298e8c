import type { BodyInput, DownloadRoute, QueryInput, ResponseOf, Route } from "../contract/model/route.ts";

/** A request that the server answered with an error. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly requestId: string | undefined;
  /** Seconds to wait before another attempt, if the server says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, requestId?: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** A download whose digest differs from that of the published file. */
export class DamagedDownload extends Error {
  override readonly name = "DamagedDownload";

  constructor() {
    super("The download is damaged: its SHA-256 differs from that of the published file. Try again.");
  }
}

export interface ClientOptions {
  baseUrl: string;
  token?: string | undefined;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface CallInput<R> {
  query?: QueryInput<R>;
  body?: BodyInput<R>;
  /** The serialized body, for callers that follow its upload. Replaces `body`. */
  rawBody?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | Blob;
  /** The type of `rawBody`. Defaults to JSON. */
  contentType?: string | undefined;
  /** Lets the server recognize a repeated request, so that it takes effect only once. */
  idempotencyKey?: string | undefined;
  /** Aborts the call, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** The part of a route that a request needs. */
export type RouteAddress = Pick<Route, "method" | "path" | "mediaType">;
type RequestInput = Pick<CallInput<Route>, "rawBody" | "contentType" | "idempotencyKey" | "signal"> & {
  query?: unknown;
  body?: unknown;
};

/** Returns a client for the routes of the API. It validates responses with the schemas of the routes. */
export function createClient({ baseUrl, token, fetch: send = (url, init) => fetch(url, init) }: ClientOptions) {
  /** Calls a route. Throws `ApiError` if the server answers with an error, and `TypeError` if it can't be reached. */
  async function call<R extends Route>(route: R, input: CallInput<R> = {}): Promise<ResponseOf<R>> {
    const response = await request(route, input);
    // The type follows from the schema of the route.
    return route.response.parse(await response.json()) as ResponseOf<R>;
  }

  /**
   * Calls a route without validating the response, for pages whose first paint can't wait for schemas. Sends no headers, so
   * that browsers match the request with a preload of the page.
   */
  async function read<R extends Route>(
    address: RouteAddress,
    { query, signal }: Pick<CallInput<R>, "query" | "signal"> = {},
  ): Promise<ResponseOf<R>> {
    const response = await send(urlOf(baseUrl, address, query), signal === undefined ? {} : { signal });
    if (!response.ok) throw await toError(response);
    // The server validates what it sends with the same schema.
    return (await response.json()) as ResponseOf<R>;
  }

  /** Downloads a file and checks its digest. Throws what `call` throws, and `DamagedDownload`. */
  const download = async <R extends DownloadRoute>(route: R, input: Omit<CallInput<R>, "rawBody">): Promise<Response> =>
    checked(await request(route, input));

  async function request(address: RouteAddress, input: RequestInput): Promise<Response> {
    const { query, body, rawBody, contentType = "application/json", idempotencyKey, signal } = input;
    const headers = new Headers({ Accept: address.mediaType ?? "application/json" });
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
    if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
    const init: RequestInit = { method: address.method, headers, ...(signal ? { signal } : {}) };
    if (address.method === "POST") {
      headers.set("Content-Type", contentType);
      init.body = rawBody ?? JSON.stringify(body ?? {});
    }
    const response = await send(urlOf(baseUrl, address, query), init);
    if (!response.ok) throw await toError(response);
    return response;
  }

  /**
   * Starts a download without reading or checking its bytes. Takes only the address of a route, because loading the schema
   * takes longer than most downloads.
   */
  const downloadFrom = (address: RouteAddress, query: Readonly<Record<string, string>>): Promise<Response> =>
    request(address, { query });

  return { call, read, download, downloadFrom };
}

export type Client = ReturnType<typeof createClient>;

function urlOf(baseUrl: string, { path }: RouteAddress, query: unknown): string {
  const url = new URL(path, baseUrl);
  for (const [name, values] of Object.entries(query ?? {})) {
    for (const value of [values].flat()) {
      if (value !== undefined) url.searchParams.append(name, String(value));
    }
  }
  return url.href;
}

/** `Repr-Digest` (RFC 9530) with a SHA-256. */
const DIGEST = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/;

/** Checks the digest of a response, except in pages from plain HTTP, where browsers offer no way to compute one. */
async function checked(response: Response): Promise<Response> {
  const [, expected] = DIGEST.exec(response.headers.get("repr-digest") ?? "") ?? [];
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (expected === undefined || subtle === undefined) return response;
  const bytes = await response.arrayBuffer();
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  if (btoa(String.fromCharCode(...digest)) !== expected) throw new DamagedDownload();
  const { status, statusText, headers } = response;
  return new Response(bytes, { status, statusText, headers });
}

async function toError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const sent = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  const message = typeof sent === "string" ? sent : `The server responded with status ${response.status}.`;
  const retryAfter = Number(response.headers.get("retry-after")) || undefined;
  return new ApiError(response.status, message, response.headers.get("x-request-id") ?? undefined, retryAfter);
}
