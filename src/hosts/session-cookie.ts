import { createHmac, timingSafeEqual } from "node:crypto";
import type { KnownSession } from "../domain/account-ports.ts";
import type { Addresses } from "../domain/links.ts";
import type { Clock, Store } from "../domain/ports.ts";

/** Over https the prefix makes browsers refuse the cookie unless this very host has set it for all of itself. */
export const isSecure = (addresses: Pick<Addresses, "baseUrl">) => addresses.baseUrl.startsWith("https:");
export const sessionCookieName = (addresses: Pick<Addresses, "baseUrl">) =>
  isSecure(addresses) ? "__Host-vitrine_session" : "vitrine_session";

interface Parts {
  store: Pick<Store, "sessions">;
  clock: Clock;
  secret: string;
  addresses: Pick<Addresses, "baseUrl">;
}

/** Finds the living session that a request's cookie names, if any. */
export type FindSession = (headers: Headers) => Promise<KnownSession | undefined>;

export function createSessionFinder({ store, clock, secret, addresses }: Parts): FindSession {
  const name = sessionCookieName(addresses);
  return async (headers) => {
    const cookie = readCookie(headers, name);
    const token = cookie === undefined ? undefined : verifiedToken(cookie, secret);
    return token === undefined ? undefined : store.sessions.findSession(token, clock.now());
  };
}

/** The value of a cookie (RFC 6265 §5.4), percent-decoded. */
export function readCookie(headers: Headers, name: string): string | undefined {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** The cookie is `token.signature`, as Better Auth signs it: HMAC-SHA256 in base64. */
function verifiedToken(cookie: string, secret: string): string | undefined {
  const dot = cookie.lastIndexOf(".");
  if (dot < 1) return undefined;
  const token = cookie.slice(0, dot);
  const expected = Buffer.from(createHmac("sha256", secret).update(token).digest("base64"));
  const given = Buffer.from(cookie.slice(dot + 1));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}
