import type { Authorized } from "../model/access.ts";
import type { Caller, Instant, Item, Person, Role } from "../model/entities.ts";
import type { ReviewScope } from "../model/review-access.ts";
import type { Anchor } from "./anchor.ts";

export type ReadScope = Authorized<"read", ReviewScope>;

export interface Author {
  /** Null for guests and deleted accounts. */
  slug: string | null;
  name: string | null;
  isGuest: boolean;
}

export interface Comment {
  id: string;
  author: Author;
  text: string;
  /** Slugs. */
  mentions: string[];
  createdAt: Instant;
  editedAt: Instant | null;
  isDeleted: boolean;
  isOwn: boolean;
}

export interface Thread {
  id: string;
  report: { name: string | null; code: string };
  anchor: Anchor;
  versionNo: number;
  /** Null if the version was deleted. */
  versionCode: string | null;
  isOnlyVersion: boolean;
  resolver: { slug: string; displayName: string | null } | null;
  resolvedAt: Instant | null;
  addressedIn: number | null;
  comments: Comment[];
  unread: number;
  createdAt: Instant;
  updatedAt: Instant;
}

export const THREAD_FILTERS = ["unaddressed", "open", "resolved", "all"] as const;
export type ThreadFilter = (typeof THREAD_FILTERS)[number];

export interface ThreadQuery {
  scope: ReadScope;
  filter: ThreadFilter;
  /** Only threads that changed after this number. */
  since: number | undefined;
  /** Only threads started after this number. */
  after: number | undefined;
  limit: number;
}

export interface ThreadPage {
  threads: Thread[];
  /** The number of the last thread, if there are more. */
  next: number | undefined;
}

export interface ReviewCounts {
  open: number;
  addressed: number;
  resolved: number;
  unread: number;
}

/** What is known about the comments of a report. */
export interface ReviewState {
  /** The number of the last change. */
  seq: number;
  isOff: boolean;
}

/** Where a thread belongs. */
export interface ThreadKey {
  id: string;
  itemId: number;
  currentCode: string;
  versionNo: number;
  versionCode: string;
  /** Whether the version was deleted, and fewer people could read it than the report. */
  isWithheld: boolean;
}

export interface CommentKey {
  thread: ThreadKey;
  authorId: string | null;
  isDeleted: boolean;
}

export const INBOX_KINDS = ["mention", "reply", "comment"] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** An entry that a new comment adds to an inbox. */
export interface Notice {
  id: string;
  userId: string;
  kind: InboxKind;
}

/** Who writes a comment: someone with an account, or a guest of a link, who says any name. */
export type CommentAuthor =
  | { userId: string; guest?: undefined }
  | { guest: { name: string; linkId: string }; userId?: undefined };

export interface NewComment {
  id: string;
  authorId: string | null;
  guest: { name: string; linkId: string } | undefined;
  text: string;
  mentionedIds: readonly string[];
  notices: readonly Notice[];
}

export interface InboxRecord {
  id: string;
  kind: InboxKind;
  threadId: string;
  commentId: string;
  itemId: number;
  currentCode: string;
  versionNo: number;
  versionCode: string;
  isWithheld: boolean;
  name: string | null;
  title: string;
  author: Author;
  text: string;
  createdAt: Instant;
  isRead: boolean;
}

export interface InboxPlace {
  createdAt: Instant;
  id: string;
}

export interface Candidate {
  userId: string;
  slug: string;
  displayName: string | null;
}

export interface CandidateQuery {
  itemId: number;
  /** A part of the name or slug, in lowercase. */
  q: string;
  /** Only people with these slugs; undefined for all. */
  slugs: readonly string[] | undefined;
  /** Only these people; undefined for all. */
  amongIds: readonly string[] | undefined;
  limit: number;
}

/** The person and their role in the workspace of a report; null if they are not a member. */
export type PersonInWorkspace = Person & { role: Role | null };

export interface ReviewStore {
  /** Returns the numbers of versions that the person may not read by their version links. */
  listHiddenVersions(request: { itemId: number; person: PersonInWorkspace }): Promise<number[]>;
  findReviewState(itemId: number): Promise<ReviewState>;
  /** Returns when the version was published that was the newest at a time; 0 if there was none. */
  findNewestAt(request: { itemId: number; at: Instant }): Promise<Instant>;
  listThreads(query: ThreadQuery): Promise<ThreadPage>;
  countThreads(scope: ReadScope): Promise<ReviewCounts>;
  /** Returns threads that changed after a number, in the order of their changes. `next` is the number of the last change. */
  listChanged(query: { scope: ReadScope; since: number; limit: number }): Promise<ThreadPage>;
  findThreadKey(id: string): Promise<ThreadKey | undefined>;
  findCommentKey(id: string): Promise<CommentKey | undefined>;
  findThread(request: { scope: ReadScope; id: string }): Promise<Thread | undefined>;
  /** Returns the people who commented in a thread. */
  listParticipants(threadId: string): Promise<string[]>;
  /** Returns people who commented where the reader sees it. */
  listAuthors(scope: ReadScope): Promise<string[]>;
  /** Returns people who can read the report, at most `limit`. */
  listCandidates(request: CandidateQuery): Promise<Candidate[]>;
  /** Counts what a person wrote since a time, of all reports, or all guests of a link. */
  countRecent(request: { author: CommentAuthor; since: Instant }): Promise<number>;
  /** Throws `Invalid` if the report has too many comments, or `Forbidden` if it takes none. */
  addThread(change: {
    scope: ReadScope;
    id: string;
    anchor: Anchor;
    versionNo: number;
    versionCode: string;
    isOnlyVersion: boolean;
    comment: NewComment;
    now: Instant;
  }): Promise<void>;
  /** Returns false if the thread no longer exists. Throws as `addThread` does. */
  addReply(change: { scope: ReadScope; threadId: string; comment: NewComment; now: Instant }): Promise<boolean>;
  /** Returns false if the comment was edited or deleted meanwhile. `expected` is undefined for any state. */
  editComment(change: {
    scope: ReadScope;
    id: string;
    threadId: string;
    text: string;
    mentionedIds: readonly string[];
    notices: readonly Notice[];
    expected: Instant | null | undefined;
    now: Instant;
  }): Promise<boolean>;
  /** Returns whether the thread is gone, because it has no other comments. */
  deleteComment(change: {
    scope: ReadScope;
    item: Item;
    id: string;
    threadId: string;
    isOwn: boolean;
    now: Instant;
  }): Promise<boolean>;
  /** Returns those of the threads that the reader may see. */
  listKnown(request: { scope: ReadScope; ids: readonly string[] }): Promise<string[]>;
  /** Returns false if nothing had to change. */
  setResolved(change: { scope: ReadScope; threadId: string; isResolved: boolean; now: Instant }): Promise<boolean>;
  markRead(change: { scope: ReadScope; threadIds: readonly string[] | undefined }): Promise<void>;
  setCommentsOff(change: { item: Authorized<"control", Item>; isOff: boolean; now: Instant }): Promise<void>;
  listInbox(request: {
    userId: string;
    isUnread: boolean;
    after: InboxPlace | undefined;
    limit: number;
  }): Promise<InboxRecord[]>;
  markInboxRead(change: { userId: string; ids: readonly string[] | undefined; now: Instant }): Promise<void>;
  findMailSetting(userId: string): Promise<boolean>;
  setMailSetting(change: { userId: string; mail: boolean }): Promise<void>;
}

/** Which entries are mailed. */
export interface MailPeriod {
  /** When the oldest entry was made. */
  since: Instant;
  /** When an entry was made that is due. */
  due: Instant;
  /** Who got a mail after this time gets none. */
  mailedSince: Instant;
}

/** The database access of mails about comments. */
export interface MailStore {
  /** Lists people with an unread entry that is due, at most `limit`. */
  listMailDue(request: MailPeriod & { limit: number }): Promise<string[]>;
  /** Returns what a person may do now; undefined if they can't get mail. */
  findMailReader(userId: string): Promise<Caller | undefined>;
  /** Marks a person's unread entries as mailed. Returns those that weren't marked before. */
  claimMail(change: { userId: string; since: Instant; now: Instant }): Promise<string[]>;
  /** Takes back the marks of one time. */
  releaseMail(change: { userId: string; mailedAt: Instant }): Promise<void>;
}

export interface CommentsMail {
  /** `offUrl` turns these mails off when something is posted to it. */
  sendDigest(mail: { to: string; entries: readonly InboxRecord[]; offUrl: string }): Promise<void>;
}
