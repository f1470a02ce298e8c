import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "../model/entities.ts";
import type { Clock } from "../model/ports.ts";

const LIFETIME = 8 * 60 * 60_000;
const TICKET_PATTERN = /^~1\.([1-9][0-9]{9,11})\.([A-Za-z0-9_-]{24})\.([A-Za-z0-9_-]{43})$/;

/** Returns whether a path's first segment is a ticket, which replaces cookies on the content host. */
export const isTicket = (segment: string): boolean => segment.startsWith("~");

/** Returns the session that a valid ticket names. */
export const sessionRefOf = (ticket: string): string => ticket.split(".", 3)[2] ?? "";

/**
 * Creates and verifies tickets, which let one session open one code: `~1.{expiry}.{session_ref}.{mac}`, with the expiry
 * in seconds since 1970 and an HMAC-SHA256. A ticket only identifies the reader; callers check their access each time.
 */
export function createTickets({ secret, clock }: { secret: string; clock: Clock }) {
  // A separate key, so that nothing else signed with the secret passes as a ticket.
  const key = createHmac("sha256", secret).update("vitrine ticket").digest();

  const macOf = (code: string, ref: string, expiry: string) =>
    createHmac("sha256", key).update(`1.${code}.${ref}.${expiry}`).digest("base64url");

  /** Returns a ticket that expires no later than the session. */
  function issue(code: string, session: { ref: string; expiresAt: Instant }): string {
    const expiry = String(Math.floor(Math.min(clock.now() + LIFETIME, session.expiresAt) / 1000));
    return `~1.${expiry}.${session.ref}.${macOf(code, session.ref, expiry)}`;
  }

  /** Returns the ticket's session and expiry; undefined if the ticket is invalid for this code or expired. */
  function verify(ticket: string, code: string): { ref: string; expiresAt: Instant } | undefined {
    const [, expiry = "", ref = "", mac = ""] = TICKET_PATTERN.exec(ticket) ?? [];
    const expected = Buffer.from(macOf(code, ref, expiry));
    const given = Buffer.from(mac);
    const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
    const expiresAt = Number(expiry) * 1000;
    return isGenuine && expiresAt > clock.now() ? { ref, expiresAt } : undefined;
  }

  return { issue, verify };
}
