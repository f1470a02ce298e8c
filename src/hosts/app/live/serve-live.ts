import type { LiveReader, Publisher } from "../../../domain/live/live.ts";
import type { Instant } from "../../../domain/model/entities.ts";
import type { KnownSession } from "../../../domain/people/ports.ts";

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

/** A version that the reader may see, and where a frame finds it. */
export interface VersionToFrame {
  title: string;
  publisher: Publisher;
  versionNo: number;
  createdAt: Instant;
  src: string;
}

/** Answers with the shell of a version link. */
export type ServeVersion = (version: VersionToFrame) => Response;

/** Asks for the session when nothing else is in the way. Undefined when the request has become a socket. */
export type ServePortalSocket = (requireSession: () => Promise<KnownSession>) => Promise<Response | undefined>;
