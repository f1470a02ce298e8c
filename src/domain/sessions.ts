import { createHash } from "node:crypto";
import type { ListedSession } from "./account-ports.ts";
import type { Events } from "./event-ports.ts";
import { notFound } from "./failure.ts";
import type { Caller } from "./model.ts";
import type { Clock, Store } from "./ports.ts";

/** How long a session lasts from its sign-in on, in seconds. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

const REF_BYTES = 18;

/** Names a session where its id must not be seen, in tickets. */
export const sessionRef = (id: string): string =>
  createHash("sha256").update(id).digest().subarray(0, REF_BYTES).toString("base64url");

interface Parts {
  store: Pick<Store, "sessions">;
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Where people are signed in. All of it is for callers whose credential is a session. */
export function createSessions({ store, events, clock }: Parts) {
  const refOf = ({ credentialId }: Caller) => sessionRef(credentialId);

  /** The one that asks first, then the newest. */
  async function list(caller: Caller): Promise<(ListedSession & { isCurrent: boolean })[]> {
    const sessions = await store.sessions.listSessions(caller.userId, clock.now());
    const current = refOf(caller);
    return sessions
      .map((session) => ({ ...session, isCurrent: session.ref === current }))
      .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  }

  /** Ends one of the caller's sessions at once, which may be the one that asks. Throws `NotFound`. */
  async function end({ userId }: Caller, ref: string): Promise<void> {
    if (!(await store.sessions.endSession({ userId, ref }))) throw notFound("There is no such session.");
    events.publish({ kind: "sessionsEnded", userId });
  }

  /** Ends all but the one that asks; returns how many they were. */
  async function endOthers(caller: Caller): Promise<number> {
    const { userId } = caller;
    const ended = await store.sessions.endOtherSessions({ userId, ref: refOf(caller) });
    if (ended > 0) events.publish({ kind: "sessionsEnded", userId });
    return ended;
  }

  return { list, end, endOthers };
}

export type Sessions = ReturnType<typeof createSessions>;
