import type { KnownSession } from "../../domain/account-ports.ts";
import type { LiveReader } from "../../domain/live.ts";

/** What is asked of a live link by somebody, to be answered by its page, its data or a socket. */
export interface LiveQuestion {
  name: string;
  ownerSlug: undefined;
  part: string;
  reader: LiveReader;
  missing(): Response;
}

/** Undefined when the request has become a socket. */
export type ServeLive = (question: LiveQuestion) => Promise<Response | undefined>;

/** Asks for the session when nothing else is in the way. Undefined when the request has become a socket. */
export type ServePortalSocket = (requireSession: () => Promise<KnownSession>) => Promise<Response | undefined>;
