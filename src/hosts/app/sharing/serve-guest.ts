/** A request for a guest link: its page, what its script asks, or its socket. */
export interface GuestQuestion {
  /** Replaces the link's secret. */
  secret: string;
  part: string;
}

/** Answers a request for a guest link. Returns undefined if the request has become a socket. */
export type ServeGuest = (question: GuestQuestion) => Promise<Response | undefined>;
