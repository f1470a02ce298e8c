import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "../model/entities.ts";
import type { Clock } from "../model/ports.ts";

const LIFETIME = 8 * 60 * 60_000;
const TICKET_PATTERN =
  /^~(?:1\.([1-9][0-9]{9,11})\.([A-Za-z0-9_-]{24})|2\.([1-9][0-9]{9,11})\.(lnk_[0-9A-Za-z]{16}))\.([A-Za-z0-9_-]{43})$/;

/** Returns whether a path's first segment is a ticket, which replaces cookies on the content host. */
export const isTicket = (segment: string): boolean => segment.startsWith("~");

/** What a ticket belongs to, which can end at any time: a session by its `ref`, or a guest link by its ID. */
export interface TicketHolder {
  ref: string;
  expiresAt: Instant;
}

/** A genuine ticket that hasn't expired. */
export interface VerifiedTicket extends TicketHolder {
  kind: "session" | "guest";
}

/** The number that begins a ticket of each kind. */
const KINDS = { session: "1", guest: "2" } as const;

/** Returns the guest link that a valid ticket names; undefined for the ticket of a session. */
export function guestLinkOf(ticket: string): `lnk_${string}` | undefined {
  const [kind, , ref = ""] = ticket.split(".", 3);
  return kind === `~${KINDS.guest}` ? `lnk_${ref.slice("lnk_".length)}` : undefined;
}

/**
 * Creates and verifies tickets, which let one session or guest link open one code: `~{kind}.{expiry}.{ref}.{mac}`, with the
 * expiry in seconds since 1970 and an HMAC-SHA256. A ticket only identifies the reader; callers check their access each time.
 */
export function createTickets({ secret, clock }: { secret: string; clock: Clock }) {
  // A separate key, so that nothing else signed with the secret passes as a ticket.
  const key = createHmac("sha256", secret).update("vitrine ticket").digest();

  const macOf = (kind: VerifiedTicket["kind"], code: string, ref: string, expiry: string) =>
    createHmac("sha256", key).update(`${KINDS[kind]}.${code}.${ref}.${expiry}`).digest("base64url");

  /** Returns a ticket that expires no later than the session or guest link. */
  function issue(code: string, { ref, expiresAt }: TicketHolder, kind: VerifiedTicket["kind"] = "session"): string {
    const expiry = String(Math.floor(Math.min(clock.now() + LIFETIME, expiresAt) / 1000));
    return `~${KINDS[kind]}.${expiry}.${ref}.${macOf(kind, code, ref, expiry)}`;
  }

  /** Returns whom the ticket belongs to; undefined if it is invalid for this code or expired. */
  function verify(ticket: string, code: string): VerifiedTicket | undefined {
    const [, ofSession, session = "", ofGuest, guest = "", mac = ""] = TICKET_PATTERN.exec(ticket) ?? [];
    const expiry = ofSession ?? ofGuest ?? "";
    const kind = ofSession === undefined ? "guest" : "session";
    const ref = kind === "session" ? session : guest;
    const expected = Buffer.from(macOf(kind, code, ref, expiry));
    const given = Buffer.from(mac);
    const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
    const expiresAt = Number(expiry) * 1000;
    return isGenuine && expiresAt > clock.now() ? { kind, ref, expiresAt } : undefined;
  }

  return { issue, verify };
}
