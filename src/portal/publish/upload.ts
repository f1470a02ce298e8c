import { createClient } from "../../client/client.ts";
import { type BodyInput, type ResponseOf, uploadRoute } from "../../client/routes.ts";
import type { Content } from "./contents.ts";

export type UploadDetails = Omit<BodyInput<typeof uploadRoute>, "files">;
export type Published = ResponseOf<typeof uploadRoute>;

export interface Part {
  path: string;
  content: Content;
}

export interface Progress {
  /** Bytes sent so far. */
  sent: number;
  total: number;
}

interface Sending {
  signal: AbortSignal;
  onProgress(progress: Progress): void;
}

/** Builds the body as a Blob of parts, so that no file is ever copied into one long string. */
export function buildBody(details: UploadDetails, parts: readonly Part[]): Blob {
  const files = parts.flatMap(({ path, content: { encoding, parts: pieces } }, position) => [
    `${position === 0 ? "" : ","}{"path":${JSON.stringify(path)},"encoding":"${encoding}","content":"`,
    ...pieces,
    `"}`,
  ]);
  const opening = JSON.stringify(details).slice(0, -1);
  return new Blob([opening, opening === "{" ? "" : ",", `"files":[`, ...files, "]}"]);
}

/**
 * Throws `ApiError` when the server refuses, `TypeError` when it can't be reached, and the signal's reason when
 * cancelled.
 */
export function sendUpload(body: Blob, { signal, onProgress }: Sending): Promise<Published> {
  const client = createClient({
    baseUrl: location.origin,
    fetch: (url, init) => sendWithProgress(url, init, body, onProgress),
  });
  return client.call(uploadRoute, { rawBody: body, signal });
}

/** XMLHttpRequest, because `fetch` reports no upload progress. */
function sendWithProgress(
  url: string,
  { headers, signal }: RequestInit,
  body: Blob,
  onProgress: (progress: Progress) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress({ sent: loaded, total }));
    request.addEventListener("load", () => resolve(toResponse(request)));
    request.addEventListener("error", () => reject(new TypeError("Couldn't reach the server.")));
    request.addEventListener("abort", () => reject(signal?.reason));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ["content-type", "x-request-id", "retry-after"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText || null, { status: request.status, headers });
}
