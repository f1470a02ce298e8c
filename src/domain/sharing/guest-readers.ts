import type { FindScopes, LiveReader, ReaderScope } from "../live/live.ts";
import { NO_RIGHTS } from "../model/access.ts";
import type { Instant } from "../model/entities.ts";
import type { Links } from "../model/links.ts";
import type { Clock } from "../model/ports.ts";
import { createTickets } from "../private-links/tickets.ts";
import type { GuestLinkStore, OpenGuestLink } from "./guest-ports.ts";

interface Dependencies {
  store: { sharing: Pick<GuestLinkStore, "findOpenGuestLinks"> };
  links: Links;
  clock: Clock;
  secret: string;
}

/** Creates readers of live links from guest links. They look up what each link shows every time. */
export function createGuestReaders({ store, links, clock, secret }: Dependencies) {
  const tickets = createTickets({ secret, clock });

  const findScopes: FindScopes = async (readers) => {
    const ids = readers.map(({ key }) => key);
    const open = await store.sharing.findOpenGuestLinks(ids, clock.now());
    return new Map(open.map((link) => [link.id, scopeOf(link)]));
  };

  const scopeOf = (link: OpenGuestLink): ReaderScope => {
    const endsAt = endOf(link);
    const holder = { ref: link.id, expiresAt: endsAt };
    return {
      mayRead: () => true,
      rightsTo: () => NO_RIGHTS,
      src: (code) => links.ticketed(code, tickets.issue(code, holder, "guest")),
      shown: link.shown,
      since: link.isLive ? link.createdAt : undefined,
      endsAt,
    };
  };

  /** Returns the guests of a link, who all see the same. */
  const readerOf = (link: OpenGuestLink): LiveReader => ({
    key: link.id,
    session: { userId: "", verifiedEmail: null, expiresAt: endOf(link) },
    findScopes,
  });

  return { readerOf };
}

export type GuestReaders = ReturnType<typeof createGuestReaders>;

const endOf = ({ expiresAt }: Pick<OpenGuestLink, "expiresAt">): Instant => expiresAt ?? Number.POSITIVE_INFINITY;
