import type { Route } from "./route.ts";

/** A section of the API documentation. */
export interface Topic {
  name: string;
  description: string;
  /** The position in the documentation: topics with lower numbers come first. */
  place: number;
  routes: readonly Route[];
}
