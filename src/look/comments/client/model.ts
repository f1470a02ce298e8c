import type { Anchor, Place } from "../../../html/anchors/anchor.ts";

/** Who wrote a comment. A guest chose the name, so it proves nothing. */
export interface CommentAuthor {
  slug: string | null;
  name: string | null;
  is_guest: boolean;
}

export interface CommentView {
  id: string;
  author: CommentAuthor;
  text: string;
  /** ISO 8601. */
  created_at: string;
  edited_at: string | null;
  deleted: boolean;
  is_own: boolean;
}

export interface ThreadView {
  id: string;
  anchor: Anchor;
  /** The version on which it was started, and its code if it still exists. */
  version_no: number;
  version_code: string | null;
  only_version: boolean;
  state: "open" | "resolved";
  addressed_in: number | null;
  comments: readonly CommentView[];
  unread: number;
}

/** A person who can be mentioned. */
export interface Mentionable {
  slug: string;
  name: string | null;
}

/** What the reader may do here. */
export type Commenting =
  | { may: "comment"; asGuest: boolean }
  /** Signing in at this address lets the reader comment. */
  | { may: "sign-in"; url: string }
  /** The owner turned comments off, or this link doesn't allow them. */
  | { may: "read" };

/** What a person did that the server refused, in words to show. */
export type Outcome = { error?: undefined } | { error: string };

/** The threads of a report, and what the reader may do with them. */
export interface LoadedThreads {
  threads: readonly ThreadView[];
  commenting: Commenting;
  /** Whether the report takes comments. */
  isEnabled: boolean;
  /** Whether the reader may turn them on and off. */
  mayManage: boolean;
}

/** Where comments are kept. Every method but `load` resolves with what went wrong, and never rejects. */
export interface CommentStore {
  load(): Promise<LoadedThreads | { error: string }>;
  start(
    anchor: Anchor,
    text: string,
    options: { onlyVersion: boolean; guestName: string | undefined },
  ): Promise<Outcome>;
  reply(thread: string, text: string, guestName: string | undefined): Promise<Outcome>;
  edit(comment: string, text: string): Promise<Outcome>;
  remove(comment: string): Promise<Outcome>;
  setState(thread: string, state: ThreadView["state"]): Promise<Outcome>;
  markRead(thread: string): Promise<Outcome>;
  setEnabled(isEnabled: boolean): Promise<Outcome>;
  /** Waits until threads change: false if none did for a while, undefined if that can't be known now. */
  waitForChange(signal: AbortSignal): Promise<boolean | undefined>;
  /** Returns people whose slug or name starts with a text. */
  findPeople(start: string): Promise<readonly Mentionable[]>;
}

/** The place of a thread in the version that is shown. */
export interface Standing {
  place: Place;
  /** Pixels from the top of the page; null if it isn't visible. */
  top: number | null;
}

/** Returns what a thread is about, for people. */
export function subjectOf(anchor: Anchor): string {
  if (anchor.kind === "report") return "The whole report";
  return anchor.kind === "text" ? anchor.quote : anchor.label;
}

export const nameOf = ({ name, slug, is_guest }: CommentAuthor): string => {
  const known = name ?? slug ?? (is_guest ? "Guest" : "Deleted account");
  return is_guest ? `${known} (guest)` : known;
};
