import type { DraftFile } from "./draft-files.ts";

/** Something that prevents publishing, with fixes the page offers. */
export interface Problem {
  kind: "empty" | "folders" | "names" | "duplicates" | "index" | "count" | "file" | "request" | "plan" | "quota";
  message: string;
  details?: readonly string[];
  offers?: readonly Offer[];
}

export interface Offer {
  label: string;
  apply(files: readonly DraftFile[]): DraftFile[];
}
