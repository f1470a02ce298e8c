import type { DraftFile } from "./draft-files.ts";

/** Why the files cannot be published as they are, and what can be done about it here. */
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
