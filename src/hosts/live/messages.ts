/** One version as readers are told of it; `created_at` is ISO 8601. */
export interface VersionFact {
  code: string;
  version_no: number;
  title: string;
  created_at: string;
  src: string;
}

/** What a live link shows. */
export interface CurrentFact extends VersionFact {
  name: string;
}

/** What the shell of a version link frames. */
export interface FramedVersion {
  src: string;
}

/** The versions to choose from, newest first; there are earlier ones unless it is complete. */
export interface VersionsFact {
  versions: VersionFact[];
  complete: boolean;
}

/** What the server says on a socket: `hello` once on each connection, `version` at changes, `gone` as the last word. */
export type LiveMessage = (CurrentFact & { type: "hello" | "version" }) | { type: "gone" };
