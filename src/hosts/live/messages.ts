/** A version in messages to readers. `created_at` is ISO 8601. */
export interface VersionFact {
  code: string;
  version_no: number;
  title: string;
  storage: "none" | "memory";
  created_at: string;
  src: string;
}

/** The current version of a live link. */
export interface CurrentFact extends VersionFact {
  name: string;
}

/** The state of a version link's shell. */
export interface FramedVersion {
  src: string;
}

/** The versions to choose from, newest first. If not `complete`, there are older ones. */
export interface VersionsFact {
  versions: VersionFact[];
  complete: boolean;
}

/** A message of the server: `hello` once per connection, `version` after changes, `gone` before it closes the socket. */
export type LiveMessage = (CurrentFact & { type: "hello" | "version" }) | { type: "gone" };
