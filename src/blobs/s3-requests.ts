import { sign as signRequest } from "aws4";
import { storageFull, unavailable } from "../domain/model/failure.ts";
import type { Random } from "../domain/model/ports.ts";
import { isStoreFull, mayPass, S3Refusal } from "./s3-answers.ts";

/** A bucket, or what lies below a prefix in it. */
export interface S3Place {
  /** Address of the bucket, without a slash at its end. */
  readonly bucketUrl: string;
  /** Empty, or ending in a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** How long a store may take, in milliseconds, beside the time that the bytes themselves need. */
export interface Patience {
  /** Until the first byte of an answer, connecting included. */
  firstByte: number;
  /** For one attempt. */
  attempt: number;
  /** For all attempts together. */
  total: number;
}

const PATIENCE: Patience = { firstByte: 5_000, attempt: 10_000, total: 15_000 };
/** What a store that works manages at the least, in bytes a millisecond. */
const SLOWEST_PACE = 1024;
const ATTEMPTS = 5;
/** The longest pause before the second attempt, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE = 100;
/** Seconds after which whoever was refused may try again. */
const RETRY_AFTER = 2;

export interface S3Request {
  method: "GET" | "PUT" | "POST" | "DELETE";
  /** Within the bucket; empty for the bucket itself. */
  path?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer>;
  /** Bytes that the answer may have. */
  answerBytes?: number;
  /** Whether the caller deals with an answer that is no success. */
  expects?(answer: S3Answer): boolean;
}

export interface S3Answer {
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

/** Signed requests to one bucket, repeated with growing pauses where another attempt may do better. */
export function createS3Requests(place: S3Place, random: Random, patience: Patience = PATIENCE) {
  const { accessKeyId, secretAccessKey, sessionToken } = place;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const isEncrypted = place.bucketUrl.startsWith("https:");

  /** Throws `Unavailable` or `StorageFull` when the store does not do what it is asked. */
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
      setTimeout(() => waiting.abort(new Error("The store takes too long.")), Math.max(1, time));
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

  /** At once, so that a request is under way before anybody else takes the thread. */
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
    return new Headers(Object.entries(signed).map(([name, value]) => [name, String(value)]));
  }

  /** TLS sees to it that bytes arrive as they were sent; without it the store has to. */
  function contentHash(body: Uint8Array<ArrayBuffer> = new Uint8Array()): string {
    return isEncrypted ? "UNSIGNED-PAYLOAD" : new Bun.SHA256().update(body).digest("hex");
  }

  /** Copies that were refused together do not come back together. */
  function pauseAfter(attempt: number): number {
    const [share = 0] = random.bytes(1);
    return FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + share / 512);
  }

  return { send };
}

const transferTime = ({ body, answerBytes = 0 }: S3Request) => ((body?.length ?? 0) + answerBytes) / SLOWEST_PACE;

function toFailure(cause: unknown) {
  if (isStoreFull(cause)) return storageFull(cause);
  const message = "The store of the published files cannot be used just now; try again in a moment.";
  return unavailable(message, { cause, retryAfter: RETRY_AFTER });
}

export type SendS3 = ReturnType<typeof createS3Requests>["send"];
