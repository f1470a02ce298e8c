import type { FindScopes, LiveReader, ReaderScope } from "../live/live.ts";
import { mayReadAsItem, rightsOf, type VersionOfItem } from "../model/access.ts";
import type { Links } from "../model/links.ts";
import type { Clock } from "../model/ports.ts";
import type { KnownSession, SessionStore, StandingSubject } from "../people/ports.ts";
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

  const findScopes: FindScopes = async (readers, found) => {
    const refs = readers.map(({ key }) => key);
    const standings = await store.people.findStandings(subjectOf(found), refs, clock.now());
    return new Map(
      standings.map((standing) => {
        const session = { ref: standing.ref, expiresAt: standing.sessionExpiresAt };
        const scope: ReaderScope = {
          // Other versions come with how they are shared.
          mayRead: (each) => mayReadAsItem({ ...standing, sharing: each.sharing ?? standing.sharing }, each),
          rightsTo: ({ creatorId }) => rightsOf(standing, [creatorId]),
          src: (code) => links.ticketed(code, tickets.issue(code, session)),
        };
        return [standing.ref, scope];
      }),
    );
  };

  const signedIn = (session: KnownSession): LiveReader => ({
    key: session.ref,
    session: {
      userId: session.caller.userId,
      verifiedEmail: session.caller.verifiedEmail,
      expiresAt: session.expiresAt,
    },
    findScopes,
  });

  return { signedIn };
}

/** Returns the subject of a look-up; for a missing report one that matches no row, so that both take the same time. */
const subjectOf = (found: VersionOfItem | undefined): StandingSubject =>
  found === undefined
    ? { workspaceId: "", itemId: 0, code: "" }
    : { workspaceId: found.item.workspaceId, itemId: found.item.id, code: found.version.code };

export type LiveReaders = ReturnType<typeof createLiveReaders>;
