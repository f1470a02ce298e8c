import type { LiveReader } from "../live/live.ts";
import { mayReadAsItem } from "../model/access.ts";
import type { Links } from "../model/links.ts";
import type { Clock } from "../model/ports.ts";
import type { KnownSession, SessionStore } from "../people/ports.ts";
import { createTickets } from "./tickets.ts";

interface Dependencies {
  store: { people: SessionStore };
  links: Links;
  clock: Clock;
  secret: string;
}

/** Creates readers of live links from sessions. They look up what the person may read each time. */
export function createLiveReaders({ store, links, clock, secret }: Dependencies) {
  const tickets = createTickets({ secret, clock });

  const signedIn = (session: KnownSession): LiveReader => ({
    key: session.ref,
    session: { userId: session.caller.userId, expiresAt: session.expiresAt },
    async findScope(workspaceId = "") {
      const standing = await store.people.findStanding(workspaceId, session.ref, clock.now());
      return (
        standing && {
          mayRead: (found) => mayReadAsItem(standing, found),
          src: (code) => links.ticketed(code, tickets.issue(code, session)),
        }
      );
    },
  });

  return { signedIn };
}

export type LiveReaders = ReturnType<typeof createLiveReaders>;
