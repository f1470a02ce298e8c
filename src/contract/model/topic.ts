import type { Route } from "./route.ts";

/** Endpoints that belong together. */
export interface Topic {
  name: string;
  description: string;
  /** Topics with lower numbers come first in the documentation. */
  place: number;
  routes: readonly Route[];
}
