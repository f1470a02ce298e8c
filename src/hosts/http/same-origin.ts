import { Failure, forbidden, invalid } from "../../domain/model/failure.ts";
import { bearerToken } from "./bearer.ts";
import { isForm, isJson } from "./body-types.ts";

/** They change nothing here (RFC 9110 §9.2.1). */
const HARMLESS = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses what another site made a browser send. A request that changes something and bears no token of its own has to
 * come from our own pages, and to be JSON, which no form can send. Throws `Forbidden`, `Unsupported` or `Invalid`.
 */
export function checkSameOrigin(request: Request, baseUrl: string): void {
  const { headers } = request;
  if (HARMLESS.includes(request.method) || bearerToken(headers) !== undefined) return;
  const origin = headers.get("origin");
  const isOurs = origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === baseUrl;
  if (!isOurs) throw forbidden("This request does not come from this site's own pages.");
  const type = headers.get("content-type") ?? "";
  if (isForm(type))
    throw new Failure("Unsupported", "A form is taken with an access token alone; send application/json.");
  if (!isJson(type)) throw invalid("Content-Type must be application/json.");
}

/** What no browser sends: there is nobody whose rights another site could use, and no sign that one is at work. */
export const comesFromProgram = ({ headers }: Request): boolean =>
  !headers.has("origin") && !headers.has("sec-fetch-site") && !headers.has("cookie");
