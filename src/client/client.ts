import type { BodyInput, DownloadRoute, QueryInput, ResponseOf, Route } from "../contract/model/route.ts";

/** The server's answer to a request that failed. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly requestId: string | undefined;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, requestId?: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** What came is not what the server says it published. */
export class DamagedDownload extends Error {
  override readonly name = "DamagedDownload";

  constructor() {
    super("What was downloaded isn't what was published: its SHA-256 differs. Try again.");
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
  /** The body as it goes over the wire, where the caller wants to see it go; instead of `body`. */
  rawBody?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | Blob;
  /** By which the server knows the request again, so that it does once what is asked for several times. */
  idempotencyKey?: string | undefined;
  /** Ends the call early; it throws the signal's reason then. */
  signal?: AbortSignal | undefined;
}

/** What of a route a request is made from. */
export type RouteAddress = Pick<Route, "method" | "path" | "mediaType">;
type Sent = Pick<CallInput<Route>, "rawBody" | "idempotencyKey" | "signal"> & { query?: unknown; body?: unknown };

/** Calls the API's routes; what comes back has been parsed by the route's schema. */
export function createClient({ baseUrl, token, fetch: send = (url, init) => fetch(url, init) }: ClientOptions) {
  /** Throws `ApiError` when the server refuses, `TypeError` when it cannot be reached. */
  async function call<R extends Route>(route: R, input: CallInput<R> = {}): Promise<ResponseOf<R>> {
    const response = await request(route, input);
    // The schema is the route's own.
    return route.response.parse(await response.json()) as ResponseOf<R>;
  }

  /** The answer, all of it there and compared with the digest that comes with it. Throws as `call` does, and `DamagedDownload`. */
  const download = async <R extends DownloadRoute>(route: R, input: Omit<CallInput<R>, "rawBody">): Promise<Response> =>
    compared(await request(route, input));

  async function request(address: RouteAddress, sent: Sent): Promise<Response> {
    const { query, body, rawBody, idempotencyKey, signal } = sent;
    const headers = new Headers({ Accept: address.mediaType ?? "application/json" });
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
    if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
    const init: RequestInit = { method: address.method, headers, ...(signal ? { signal } : {}) };
    if (address.method === "POST") {
      headers.set("Content-Type", "application/json");
      init.body = rawBody ?? JSON.stringify(body ?? {});
    }
    const response = await send(urlOf(baseUrl, address, query), init);
    if (!response.ok) throw await toError(response);
    return response;
  }

  /**
   * As `download`, with bytes that are yet to be read and compared; by the address alone: without the schemas, which take
   * longer to make than a file to come.
   */
  const downloadFrom = (address: RouteAddress, query: Readonly<Record<string, string>>): Promise<Response> =>
    request(address, { query });

  return { call, download, downloadFrom };
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

/** Browsers give pages that came over plain http no way to compare. The server has compared the bytes before it sent them. */
async function compared(response: Response): Promise<Response> {
  const [, wanted] = DIGEST.exec(response.headers.get("repr-digest") ?? "") ?? [];
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (wanted === undefined || subtle === undefined) return response;
  const bytes = await response.arrayBuffer();
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  if (btoa(String.fromCharCode(...digest)) !== wanted) throw new DamagedDownload();
  const { status, statusText, headers } = response;
  return new Response(bytes, { status, statusText, headers });
}

async function toError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const said = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  const message = typeof said === "string" ? said : `The server answered with status ${response.status}.`;
  const retryAfter = Number(response.headers.get("retry-after")) || undefined;
  return new ApiError(response.status, message, response.headers.get("x-request-id") ?? undefined, retryAfter);
}
