import type { LiveReader, Publisher } from "../../../domain/live/live.ts";
import type { Rights } from "../../../domain/model/access.ts";
import type { Instant } from "../../../domain/model/entities.ts";
import type { StorageMode } from "../../../domain/model/storage-mode.ts";
import type { KnownSession } from "../../../domain/people/ports.ts";

/** A request for a live link: its page, its data or its socket. */
export interface LiveQuestion {
  name: string;
  ownerSlug: undefined;
  part: string;
  reader: LiveReader;
  missing(): Response;
}

/** Answers a request for a live link. Returns undefined if the request has become a socket. */
export type ServeLive = (question: LiveQuestion) => Promise<Response | undefined>;

/** A version that the reader can access, and the URL for framing it. */
export interface VersionToFrame {
  code: string;
  title: string;
  storage: StorageMode;
  publisher: Publisher;
  versionNo: number;
  createdAt: Instant;
  rights: Rights;
  src: string;
  workspaceId: string;
  /** Whether the reader published the version or created its report. */
  isMaker: boolean;
}

/** Returns the shell of a version link. */
export type ServeVersion = (version: VersionToFrame) => Promise<Response>;

/** A request for the versions of the report that a version belongs to. */
export interface SiblingsQuestion {
  code: string;
  reader: LiveReader;
  missing(): Response;
}

/** Answers a version link's request for the report's other versions. */
export type ServeSiblings = (question: SiblingsQuestion) => Promise<Response>;

/** Opens the portal's socket. Calls `requireSession` after all other checks. Returns undefined if it succeeded. */
export type ServePortalSocket = (requireSession: () => Promise<KnownSession>) => Promise<Response | undefined>;
