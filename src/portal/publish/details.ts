import type { Visibility } from "../shared/visibility.tsx";
import type { UploadDetails } from "./upload.ts";
import type { NameCheck } from "./use-name-check.ts";

/** What the form says about a report, besides its files. */
export interface Details {
  /** Undefined for the suggested name; empty for none. */
  name: string | undefined;
  /** Undefined for the document's own title. */
  title: string | undefined;
  /** What changed in a new version. */
  note: string;
  /** Undefined for the workspace's default. */
  visibility: Visibility | undefined;
  needsStorage: boolean;
  /** An id, null for no folder, or undefined for the workspace's default folder. */
  folder: string | null | undefined;
  tagIds: readonly string[];
  /** Whether the page was opened to add a version to the report with that name. */
  isVersion: boolean;
}

export const newDetails = (name: string | undefined): Details => ({
  name,
  title: undefined,
  note: "",
  visibility: undefined,
  needsStorage: false,
  folder: undefined,
  tagIds: [],
  isVersion: name !== undefined,
});

interface Chosen {
  name: string;
  visibility: Visibility;
  /** The folder's label; undefined for the default folder. */
  folder: string | undefined;
}

/** Returns the request's fields besides the files. A new version keeps its report's folder and visibility. */
export function toUpload(
  { title = "", note, needsStorage }: Details,
  { kind }: NameCheck,
  { name, visibility, folder }: Chosen,
): UploadDetails {
  const first = { visibility, ...(folder === undefined ? {} : { folder }) };
  const later = note.trim() === "" ? {} : { note: note.trim() };
  return {
    ...(name === "" ? {} : { name }),
    ...(title.trim() === "" ? {} : { title: title.trim() }),
    ...(needsStorage ? { storage: "memory" } : {}),
    ...(kind === "version" ? later : first),
  };
}
