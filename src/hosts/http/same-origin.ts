import { Failure, forbidden, invalid } from "../../domain/model/failure.ts";
import { bearerToken } from "./bearer.ts";
import { isForm, isJson } from "./body-types.ts";

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/**
 * Rejects cross-site request forgery. A request that changes something without an access token must come from Vitrine's
 * own pages, and be JSON, which no HTML form can send. Throws `Forbidden`, `Unsupported` or `Invalid`.
 */
export function checkSameOrigin(request: Request, baseUrl: string): void {
  const { headers } = request;
  if (SAFE_METHODS.includes(request.method) || bearerToken(headers) !== undefined) return;
  const origin = headers.get("origin");
  const isOurs = origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === baseUrl;
  if (!isOurs)
    throw forbidden("This request comes from another site. Use the Vitrine portal, or send an access token.");
  const type = headers.get("content-type") ?? "";
  if (isForm(type))
    throw new Failure(
      "Unsupported",
      "Uploading a form requires an access token. Send an access token, or send application/json.",
    );
  if (!isJson(type)) throw invalid("Content-Type must be application/json.");
}

/** Returns whether the request has none of the headers that browsers send. Such a request cannot be forged by a site. */
export const comesFromProgram = ({ headers }: Request): boolean =>
  !headers.has("origin") && !headers.has("sec-fetch-site") && !headers.has("cookie");
