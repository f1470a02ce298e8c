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
