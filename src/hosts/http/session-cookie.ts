import { createHmac, timingSafeEqual } from "node:crypto";
import type { Addresses } from "../../domain/model/links.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { KnownSession, SessionStore } from "../../domain/people/ports.ts";

/** Over https the prefix makes browsers refuse the cookie unless this very host has set it for all of itself. */
export const isSecure = (addresses: Pick<Addresses, "baseUrl">) => addresses.baseUrl.startsWith("https:");
export const sessionCookieName = (addresses: Pick<Addresses, "baseUrl">) =>
  isSecure(addresses) ? "__Host-vitrine_session" : "vitrine_session";

interface Parts {
  store: { people: SessionStore };
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
    return token === undefined ? undefined : store.people.findSession(token, clock.now());
  };
}

/**
 * Returns the value of a cookie, percent-decoded, or undefined when there is no such cookie. A name that comes twice
 * counts as absent: a sibling domain may have set one of the two, and nothing says which.
 */
export function readCookie(headers: Headers, name: string): string | undefined {
  const [value, ...others] = valuesOf(headers.get("cookie") ?? "", name);
  if (value === undefined || others.length > 0) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function valuesOf(header: string, name: string): string[] {
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals >= 0 && trimBlanks(pair.slice(0, equals)) === name ? [trimBlanks(pair.slice(equals + 1))] : [];
  });
}

/**
 * Returns the text without spaces and tabs at its ends (RFC 6265). `trim()` would also remove a no-break space, behind
 * which a sibling domain can hide a cookie's name from the browser's check of `__Host-`.
 */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/**
 * Returns headers with the session cookie alone, in the one form that every parser reads alike. The sign-in library
 * parses cookies less strictly than `readCookie`, so it must not see what a browser sent.
 */
export function sessionCookieHeaders(headers: Headers, addresses: Pick<Addresses, "baseUrl">): Headers {
  const name = sessionCookieName(addresses);
  const value = readCookie(headers, name);
  return new Headers(value === undefined ? {} : { cookie: `${name}=${encodeURIComponent(value)}` });
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
