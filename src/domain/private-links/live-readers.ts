import type { LiveReader } from "../live/live.ts";
import { mayReadAsItem } from "../model/access.ts";
import type { Links } from "../model/links.ts";
import type { Clock } from "../model/ports.ts";
import type { KnownSession, SessionStore } from "../people/ports.ts";
import { createTickets } from "./tickets.ts";

interface Parts {
  store: { people: SessionStore };
  links: Links;
  clock: Clock;
  secret: string;
}

/** Whoever is signed in, as a reader of live links: what they may see is looked up anew each time. */
export function createLiveReaders({ store, links, clock, secret }: Parts) {
  const tickets = createTickets({ secret, clock });

  const signedIn = (session: KnownSession): LiveReader => ({
    key: session.ref,
    session: { userId: session.caller.userId, expiresAt: session.expiresAt },
    async look(workspaceId = "") {
      const standing = await store.people.findStanding(workspaceId, session.ref, clock.now());
      return (
        standing && {
          sees: (found) => mayReadAsItem(standing, found),
          src: (code) => links.ticketed(code, tickets.issue(code, session)),
        }
      );
    },
  });

  return { signedIn };
}

export type LiveReaders = ReturnType<typeof createLiveReaders>;
