import type { Caller } from "../../domain/model/entities.ts";
import { unauthenticated } from "../../domain/model/failure.ts";
import type { Tokens } from "../../domain/tokens/tokens.ts";

const BEARER = /^Bearer +(\S+) *$/i;

/** The token of an `Authorization: Bearer …` header (RFC 6750 §2.1), or undefined when there is none. */
export function bearerToken(headers: Headers): string | undefined {
  const header = headers.get("authorization");
  return header === null ? undefined : BEARER.exec(header)?.[1];
}

/** Whoever a request's token speaks for. Throws `Unauthenticated`. */
export async function authenticateBearer(headers: Headers, tokens: Pick<Tokens, "authenticate">): Promise<Caller> {
  const token = bearerToken(headers);
  if (token === undefined) throw unauthenticated("An access token is required (Authorization: Bearer …).");
  return tokens.authenticate(token);
}
