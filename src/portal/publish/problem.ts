import type { Draft } from "./use-draft.ts";

/** Something that prevents publishing, with fixes the page offers. */
export interface Problem {
  kind: "structure" | "duplicates" | "index" | "count" | "file" | "request" | "plan" | "quota";
  message: string;
  details?: readonly string[];
  offers?: readonly Offer[];
}

export interface Offer {
  label: string;
  apply(draft: Draft): void;
}
