import { createHash } from "node:crypto";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, notFound, unauthenticated } from "../model/failure.ts";
import type { Clock } from "../model/ports.ts";
import type { KnownSession, ListedSession, SessionStore } from "./ports.ts";

/** The lifetime of a session in seconds. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** Milliseconds after which a person has to confirm their identity to do something that outlasts the session. */
const CONFIRMED_FOR = 60 * 60_000;

const REF_BYTES = 18;

/** Returns a reference to a session for tickets, which must not reveal its ID. */
export const sessionRef = (id: string): string =>
  createHash("sha256").update(id).digest().subarray(0, REF_BYTES).toString("base64url");

interface Dependencies {
  store: { people: SessionStore };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Creates the service for a person's sessions. Its callers' credentials have to be sessions. */
export function createSessions({ store, events, clock }: Dependencies) {
  const refOf = ({ credentialId }: Caller) => sessionRef(credentialId);

  /** Returns the caller's sessions: the current one first, then the newest. */
  async function list(caller: Caller): Promise<(ListedSession & { isCurrent: boolean })[]> {
    const sessions = await store.people.listSessions(caller.userId, clock.now());
    const current = refOf(caller);
    return sessions
      .map((session) => ({ ...session, isCurrent: session.ref === current }))
      .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  }

  /** Ends one of the caller's sessions immediately, possibly the current one. Throws `NotFound`. */
  async function end({ userId }: Caller, ref: string): Promise<void> {
    if (!(await store.people.endSession({ userId, ref })))
      throw notFound("Session not found. It may have ended already.");
    events.publish({ kind: "sessionsEnded", userId });
  }

  /** Ends all of the caller's sessions except the current one. Returns how many it ended. */
  async function endOthers(caller: Caller): Promise<number> {
    const { userId } = caller;
    const ended = await store.people.endOtherSessions({ userId, ref: refOf(caller) });
    if (ended > 0) events.publish({ kind: "sessionsEnded", userId });
    return ended;
  }

  /** Returns whether the person has to confirm their identity to do something that outlasts the session. */
  function needsConfirmation({ authenticatedAt }: KnownSession): boolean {
    const age = clock.now() - authenticatedAt;
    // Setting the clock back must not make a confirmation last longer.
    return Math.abs(age) >= CONFIRMED_FOR;
  }

  /** Throws `Forbidden` unless the person confirmed their identity within the last hour. `action` completes the message. */
  function requireConfirmed(session: KnownSession | undefined, action = "create an access token"): void {
    if (session === undefined || needsConfirmation(session)) throw unconfirmed(action);
  }

  /** Records that the person has just confirmed their identity. Throws `Unauthenticated` if the session has ended. */
  async function confirm({ id, caller: { userId } }: KnownSession): Promise<void> {
    const isAlive = await store.people.confirmSession({ id, userId, at: clock.now() });
    if (!isAlive) throw unauthenticated("You aren't signed in. Sign in and try again.");
  }

  return { list, end, endOthers, needsConfirmation, requireConfirmed, confirm };
}

export type Sessions = ReturnType<typeof createSessions>;

const unconfirmed = (action: string) =>
  forbidden(`You signed in more than an hour ago. Confirm your identity or sign in again to ${action}.`);
