import type { Caller } from "../../domain/model/entities.ts";
import { unauthenticated } from "../../domain/model/failure.ts";
import type { Tokens } from "../../domain/tokens/tokens.ts";

const BEARER = /^Bearer +(\S+) *$/i;

/** Returns the token of an `Authorization: Bearer …` header (RFC 6750 §2.1), or undefined without one. */
export function bearerToken(headers: Headers): string | undefined {
  const header = headers.get("authorization");
  return header === null ? undefined : BEARER.exec(header)?.[1];
}

/** Returns the caller that a request's access token authenticates. Throws `Unauthenticated`. */
export async function authenticateBearer(headers: Headers, tokens: Pick<Tokens, "authenticate">): Promise<Caller> {
  const token = bearerToken(headers);
  if (token === undefined)
    throw unauthenticated("This endpoint requires an access token. Send the header Authorization: Bearer YOUR_TOKEN.");
  return tokens.authenticate(token);
}
