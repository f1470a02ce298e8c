import type { FindScopes, LiveReader, ReaderScope } from "../live/live.ts";
import { mayReadAsItem, rightsOf } from "../model/access.ts";
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

  const findScopes: FindScopes = async (readers, workspaceId = "") => {
    const refs = readers.map(({ key }) => key);
    const standings = await store.people.findStandings(workspaceId, refs, clock.now());
    return new Map(
      standings.map((standing) => {
        const session = { ref: standing.ref, expiresAt: standing.sessionExpiresAt };
        const scope: ReaderScope = {
          mayRead: (found) => mayReadAsItem(standing, found),
          rightsTo: ({ creatorId }) => rightsOf(standing, [creatorId]),
          src: (code) => links.ticketed(code, tickets.issue(code, session)),
        };
        return [standing.ref, scope];
      }),
    );
  };

  const signedIn = (session: KnownSession): LiveReader => ({
    key: session.ref,
    session: { userId: session.caller.userId, expiresAt: session.expiresAt },
    findScopes,
  });

  return { signedIn };
}

export type LiveReaders = ReturnType<typeof createLiveReaders>;
