import { createHash, timingSafeEqual } from "node:crypto";
import { bearerToken } from "./bearer.ts";

/** Returns whether a request bears the token of operators. */
export type BearsToken = (headers: Headers) => boolean;

/** Returns the check of a token, which takes the same time for every wrong one. Without a token, no request bears it. */
export function createTokenCheck(token: string | undefined): BearsToken {
  if (token === undefined) return () => false;
  const expected = digest(token);
  return (headers) => {
    const given = bearerToken(headers);
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();
