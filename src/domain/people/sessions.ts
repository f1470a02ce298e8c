import { createHash } from "node:crypto";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, notFound, unauthenticated } from "../model/failure.ts";
import type { Clock } from "../model/ports.ts";
import type { KnownSession, ListedSession, SessionStore } from "./ports.ts";

/** How long a session lasts from its sign-in on, in seconds. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** Milliseconds after which a person has to confirm who they are before they can do what outlasts the session. */
const CONFIRMED_FOR = 60 * 60_000;

const REF_BYTES = 18;

/** Names a session where its id must not be seen, in tickets. */
export const sessionRef = (id: string): string =>
  createHash("sha256").update(id).digest().subarray(0, REF_BYTES).toString("base64url");

interface Parts {
  store: { people: SessionStore };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Where people are signed in. All of it is for callers whose credential is a session. */
export function createSessions({ store, events, clock }: Parts) {
  const refOf = ({ credentialId }: Caller) => sessionRef(credentialId);

  /** The one that asks first, then the newest. */
  async function list(caller: Caller): Promise<(ListedSession & { isCurrent: boolean })[]> {
    const sessions = await store.people.listSessions(caller.userId, clock.now());
    const current = refOf(caller);
    return sessions
      .map((session) => ({ ...session, isCurrent: session.ref === current }))
      .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  }

  /** Ends one of the caller's sessions at once, which may be the one that asks. Throws `NotFound`. */
  async function end({ userId }: Caller, ref: string): Promise<void> {
    if (!(await store.people.endSession({ userId, ref })))
      throw notFound("Session not found. It may have ended already.");
    events.publish({ kind: "sessionsEnded", userId });
  }

  /** Ends all but the one that asks; returns how many they were. */
  async function endOthers(caller: Caller): Promise<number> {
    const { userId } = caller;
    const ended = await store.people.endOtherSessions({ userId, ref: refOf(caller) });
    if (ended > 0) events.publish({ kind: "sessionsEnded", userId });
    return ended;
  }

  /** Returns whether the person has to confirm who they are before they can do what outlasts the session. */
  function needsConfirmation({ authenticatedAt }: KnownSession): boolean {
    const age = clock.now() - authenticatedAt;
    // A clock that is set back makes no confirmation last longer.
    return Math.abs(age) >= CONFIRMED_FOR;
  }

  /** Throws `Forbidden` unless the person has proven within the last hour who they are. */
  function requireConfirmed(session: KnownSession | undefined): void {
    if (session === undefined || needsConfirmation(session)) throw forbidden(UNCONFIRMED);
  }

  /** Notes that the person has just proven who they are. Throws `Unauthenticated` when the session has ended. */
  async function confirm({ id, caller: { userId } }: KnownSession): Promise<void> {
    const isAlive = await store.people.confirmSession({ id, userId, at: clock.now() });
    if (!isAlive) throw unauthenticated("You aren't signed in. Sign in and try again.");
  }

  return { list, end, endOthers, needsConfirmation, requireConfirmed, confirm };
}

export type Sessions = ReturnType<typeof createSessions>;

const UNCONFIRMED =
  "You signed in more than an hour ago. Confirm your identity or sign in again to create an access token.";
