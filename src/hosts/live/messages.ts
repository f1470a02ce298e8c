import type { Anchor } from "../../html/anchors/anchor.ts";
import type { Change } from "../../html/changes/change.ts";

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

/** The versions to choose from, newest first. If not `complete`, there are older ones. */
export interface VersionsFact {
  versions: VersionFact[];
  complete: boolean;
}

/** What changed between two versions, as the bar says it. */
export interface ChangesFact {
  /** One line, such as "3 numbers, 1 row added". */
  summary: string;
  total: number;
  /**
   * The paths of the files that differ, if scripts draw parts of the page: then the browser has to compare what they draw. Undefined
   * for other pages.
   */
  drawn_from?: readonly string[] | undefined;
  /** The first of them, for those who ask for them. */
  changes?: ChangeFact[] | undefined;
}

/** One change, and where it stands now; null if it can't be shown there. */
export type ChangeFact = Pick<
  Change,
  "kind" | "block" | "headings" | "label" | "before" | "after" | "difference" | "percentage"
> & { anchor: Anchor | null };

/** A message of the server: `hello` once per connection, `version` after changes, `gone` before it closes the socket. */
export type LiveMessage = (CurrentFact & { type: "hello" | "version" }) | { type: "gone" };

/** What the page of a guest link knows before it is opened. */
export interface GuestPageState {
  id: string;
  needsPassword: boolean;
  needsEmail: boolean;
}

/** What opening a guest link returns. */
export interface OpenedGuestLink {
  /** Opens the link again without a password or code; undefined if it needs none. */
  pass?: string | undefined;
  publisher: { slug: string; name?: string | undefined };
  /** Whether the link follows the report. */
  live: boolean;
  /** Whether guests may read and write comments. */
  comments: boolean;
  current: CurrentFact;
}

/** The name of the protocol with which the socket of a guest link brings its pass. */
export const GUEST_PROTOCOL = "vitrine";
/** The header with which other requests bring it. */
export const PASS_HEADER = "Vitrine-Pass";
