import { sign as signRequest } from "aws4";
import { storageFull, unavailable } from "../domain/model/failure.ts";
import type { Random } from "../domain/model/ports.ts";
import { isStoreFull, mayPass, S3Refusal } from "./s3-answers.ts";

/** A bucket, or a prefix in it. */
export interface S3Place {
  /** URL of the bucket, without a slash at the end. */
  readonly bucketUrl: string;
  /** Empty, or ending in a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Milliseconds that a store may take, not counting the transfer of the bytes. */
export interface Patience {
  /** Until the first byte of an answer, including the connection. */
  firstByte: number;
  /** For one attempt. */
  attempt: number;
  /** For all attempts together. */
  total: number;
}

const PATIENCE: Patience = { firstByte: 5_000, attempt: 10_000, total: 15_000 };
/** Bytes per millisecond that a working store transfers at least. */
const SLOWEST_PACE = 1024;
const ATTEMPTS = 5;
/** Maximum milliseconds before the second attempt; doubles with each further one. */
const FIRST_PAUSE = 100;
/** Seconds after which a client may retry. */
const RETRY_AFTER = 2;

export interface S3Request {
  method: "GET" | "PUT" | "POST" | "DELETE";
  /** Within the bucket; empty for the bucket itself. */
  path?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer>;
  /** Expected bytes of the answer. */
  answerBytes?: number;
  /** Returns whether the caller handles this answer, although it is not a success. */
  expects?(answer: S3Answer): boolean;
}

export interface S3Answer {
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

/** Returns headers to add to a request. They are not signed, because proxies may change them. */
export type ExtraHeaders = () => Readonly<Record<string, string>>;

/** Sends signed requests to one bucket, and repeats them with growing pauses if another attempt may succeed. */
export function createS3Requests(
  place: S3Place,
  random: Random,
  patience: Patience = PATIENCE,
  extraHeaders: ExtraHeaders = () => ({}),
) {
  const { accessKeyId, secretAccessKey, sessionToken } = place;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const isEncrypted = place.bucketUrl.startsWith("https:");

  /** Throws `Unavailable` or `StorageFull` if the store does not do what it is asked. */
  async function send(request: S3Request, attempts = ATTEMPTS): Promise<S3Answer> {
    const deadline = performance.now() + patience.total + transferTime(request);
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(request, deadline);
      } catch (error) {
        const pause = pauseAfter(attempt);
        if (attempt >= attempts || !mayPass(error) || performance.now() + pause > deadline) throw toFailure(error);
        await Bun.sleep(pause);
      }
    }
  }

  async function sendOnce(request: S3Request, deadline: number): Promise<S3Answer> {
    const { method, body: content = null } = request;
    const url = urlOf(request);
    const headers = sign(request, url);
    using limit = limitTime(request, deadline);
    const response = await fetch(url, { method, headers, body: content, signal: limit.signal, redirect: "manual" });
    limit.answered();
    const body = new Uint8Array(await response.arrayBuffer());
    const answer = { status: response.status, headers: response.headers, body };
    if (response.ok || request.expects?.(answer)) return answer;
    throw new S3Refusal(method, url.pathname, answer);
  }

  function limitTime(request: S3Request, deadline: number) {
    const transfer = transferTime(request);
    const waiting = new AbortController();
    const abortAfter = (time: number) =>
      setTimeout(() => waiting.abort(new Error("The store took too long.")), Math.max(1, time));
    const left = deadline - performance.now();
    const firstByte = abortAfter(Math.min(patience.firstByte + transfer, left));
    const whole = abortAfter(Math.min(patience.attempt + transfer, left));
    return {
      signal: waiting.signal,
      answered: () => clearTimeout(firstByte),
      [Symbol.dispose]() {
        clearTimeout(firstByte);
        clearTimeout(whole);
      },
    };
  }

  function urlOf({ path, query = {} }: S3Request): URL {
    const url = new URL(`${place.bucketUrl}/${path === undefined ? "" : place.prefix + path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** Signs synchronously, so that the request starts before other work takes the thread. */
  function sign({ method, headers = {}, body }: S3Request, url: URL): Headers {
    const { headers: signed = {} } = signRequest(
      {
        service: "s3",
        region: place.region,
        method,
        host: url.host,
        path: url.pathname + url.search,
        headers: { ...headers, "X-Amz-Content-Sha256": contentHash(body) },
      },
      credentials,
    );
    const all = Object.entries({ ...signed, ...extraHeaders() });
    return new Headers(all.map(([name, value]) => [name, String(value)]));
  }

  /** Returns a checksum for the store to verify, which TLS makes unnecessary. */
  function contentHash(body: Uint8Array<ArrayBuffer> = new Uint8Array()): string {
    return isEncrypted ? "UNSIGNED-PAYLOAD" : new Bun.SHA256().update(body).digest("hex");
  }

  /** Returns a random pause, so that replicas that failed together don't retry together. */
  function pauseAfter(attempt: number): number {
    const [share = 0] = random.bytes(1);
    return FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + share / 512);
  }

  return { send };
}

const transferTime = ({ body, answerBytes = 0 }: S3Request) => ((body?.length ?? 0) + answerBytes) / SLOWEST_PACE;

function toFailure(cause: unknown) {
  if (isStoreFull(cause)) return storageFull(cause);
  const message = "The published files can't be reached right now. Try again in a moment.";
  return unavailable(message, { cause, retryAfter: RETRY_AFTER });
}

export type SendS3 = ReturnType<typeof createS3Requests>["send"];
