import { createHmac, timingSafeEqual } from "node:crypto";
import type { Addresses } from "../../domain/model/links.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { KnownSession, SessionStore } from "../../domain/people/ports.ts";

/** Over HTTPS, the `__Host-` prefix makes browsers reject a cookie that another host has set. */
export const isSecure = (addresses: Pick<Addresses, "baseUrl">) => addresses.baseUrl.startsWith("https:");
export const sessionCookieName = (addresses: Pick<Addresses, "baseUrl">) =>
  isSecure(addresses) ? "__Host-vitrine_session" : "vitrine_session";

interface SessionFinderDependencies {
  store: { people: SessionStore };
  clock: Clock;
  secret: string;
  addresses: Pick<Addresses, "baseUrl">;
}

/** Finds the active session of a request's cookie, if any. */
export type FindSession = (headers: Headers) => Promise<KnownSession | undefined>;

export function createSessionFinder({ store, clock, secret, addresses }: SessionFinderDependencies): FindSession {
  const name = sessionCookieName(addresses);
  return async (headers) => {
    const cookie = readCookie(headers, name);
    const token = cookie === undefined ? undefined : verifiedToken(cookie, secret);
    return token === undefined ? undefined : store.people.findSession(token, clock.now());
  };
}

/**
 * Returns the percent-decoded value of a cookie, or undefined if it is absent. A cookie that occurs twice counts as
 * absent, because a sibling domain may have set either of them.
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
 * Removes leading and trailing spaces and tabs (RFC 6265). `trim()` would also remove a no-break space, which a sibling
 * domain can use to bypass the browser's check of `__Host-`.
 */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/**
 * Returns headers with only the session cookie, in a form that every parser reads alike. The sign-in library parses
 * cookies less strictly than `readCookie`, so it never sees the browser's own header.
 */
export function sessionCookieHeaders(headers: Headers, addresses: Pick<Addresses, "baseUrl">): Headers {
  const name = sessionCookieName(addresses);
  const value = readCookie(headers, name);
  return new Headers(value === undefined ? {} : { cookie: `${name}=${encodeURIComponent(value)}` });
}

/** Returns the token of a cookie `token.signature`, signed by Better Auth with HMAC-SHA256 in base64. */
function verifiedToken(cookie: string, secret: string): string | undefined {
  const dot = cookie.lastIndexOf(".");
  if (dot < 1) return undefined;
  const token = cookie.slice(0, dot);
  const expected = Buffer.from(createHmac("sha256", secret).update(token).digest("base64"));
  const given = Buffer.from(cookie.slice(dot + 1));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}
