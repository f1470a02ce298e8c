import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "../model/entities.ts";
import type { Clock } from "../model/ports.ts";

const LIFETIME = 8 * 60 * 60_000;
const TICKET_PATTERN = /^~1\.([1-9][0-9]{9,11})\.([A-Za-z0-9_-]{24})\.([A-Za-z0-9_-]{43})$/;

/** Tickets stand at the beginning of a path of the content host, where there are no cookies. */
export const isTicket = (segment: string): boolean => segment.startsWith("~");

/**
 * Tickets name a session and open one code for it: `~1.{expiry}.{session_ref}.{mac}`, expiry in seconds since 1970, mac
 * an HMAC-SHA256. They say no more than who asks; whether that reader may read is looked up each time.
 */
export function createTickets({ secret, clock }: { secret: string; clock: Clock }) {
  // A key of its own, so that nothing else that the secret signs can be taken for a ticket.
  const key = createHmac("sha256", secret).update("vitrine ticket").digest();

  const macOf = (code: string, ref: string, expiry: string) =>
    createHmac("sha256", key).update(`1.${code}.${ref}.${expiry}`).digest("base64url");

  /** A ticket that ends with the session at the latest. */
  function issue(code: string, session: { ref: string; expiresAt: Instant }): string {
    const expiry = String(Math.floor(Math.min(clock.now() + LIFETIME, session.expiresAt) / 1000));
    return `~1.${expiry}.${session.ref}.${macOf(code, session.ref, expiry)}`;
  }

  /** The session that a ticket names and the time of its expiry, if it is good for this code now. */
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
