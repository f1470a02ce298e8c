import { mayBeCompressed, type ResponseOf, type Route } from "../../contract/model/route.ts";
import type { Random } from "../../domain/model/ports.ts";
import { compressedText, createStreamCompression } from "../http/compression.ts";
import { createRevalidation, weaken } from "../http/etags.ts";
import { StreamedAnswer } from "../http/json-stream.ts";

/** What a handler returns: the content of the response, or a response with its own status or headers. */
export type Answer<R> = ResponseOf<R> | StreamedAnswer | Response;

const JSON_TYPE = "application/json;charset=utf-8";
/** Characters of padding at most; a power of two. */
const PADDING = 64;

/** Creates the function that turns what handlers return into responses, compressed where that is safe. */
export function createAnswers(random: Random) {
  const compressedStream = createStreamCompression();
  const revalidated = createRevalidation();

  return async (route: Route, request: Headers, answer: unknown): Promise<Response> => {
    const mayCompress = mayBeCompressed(route) && isOwnRequest(request);
    if (answer instanceof StreamedAnswer) return streamed(request, answer, mayCompress);
    if (answer instanceof Response) return mayCompress ? compressedAgain(request, answer) : answer;
    if (route.isRevalidated && isObject(answer)) return padded(await revalidated(request, answer, mayCompress));
    if (!mayCompress) return Response.json(answer);
    const headers = new Headers({ "Content-Type": JSON_TYPE });
    return padded(await compressedText(request, JSON.stringify(answer), { status: 200, headers }));
  };

  function streamed(request: Headers, answer: StreamedAnswer, mayCompress: boolean): Response {
    const { headers } = answer;
    if (!mayCompress) return new Response(answer.body(), { headers });
    return padded(compressedStream(request, answer.body(), { status: 200, headers }));
  }

  async function compressedAgain(request: Headers, response: Response): Promise<Response> {
    const { headers } = response;
    const etag = headers.get("etag");
    if (etag !== null) headers.set("ETag", weaken(etag));
    if (response.status === 304) headers.append("Vary", "Accept-Encoding");
    if (response.body === null) return response;
    return padded(await compressedText(request, await response.text(), response));
  }

  /** Hides the exact length of a compressed response. */
  function padded(response: Response): Response {
    if (!response.headers.has("content-encoding")) return response;
    const [byte = 0] = random.bytes(1);
    response.headers.set("X-Padding", "x".repeat(1 + (byte % PADDING)));
    return response;
  }
}

/**
 * Returns whether another site can't have caused the request. Compressing requests of other sites would let them measure
 * what a signed-in user may read.
 */
function isOwnRequest(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
