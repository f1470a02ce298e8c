import type { LiveItem } from "../live/ports.ts";
import type { Authorized, VersionOfItem } from "../model/access.ts";
import type { Instant, Item, Reader } from "../model/entities.ts";
import type { AdmissionFinder } from "../private-links/ports.ts";

/** What a guest link opens: a report as it is now, or one version. */
export type GuestSubject =
  | { item: Authorized<"control", Item>; version?: undefined }
  | { version: Authorized<"control", VersionOfItem>; item?: undefined };

/** What limits a guest link. */
export interface GuestLimits {
  expiresAt: Instant | null;
  /** Lowercase addresses, one of which a guest has to prove; null for no such limit. */
  emails: readonly string[] | null;
  /** The origins whose pages may frame the link; null for none. */
  embedOrigins: readonly string[] | null;
  /** Whether guests may read and write comments. */
  takesComments: boolean;
  /** Whether sites that preview the link learn the title and the publisher of the report. */
  hasPreview: boolean;
}

export interface NewGuestLink extends GuestLimits {
  id: string;
  /** The SHA-256 of the secret. */
  hash: string;
  subject: GuestSubject;
  creatorId: string;
  label: string | null;
  passwordHash: string | null;
  createdAt: Instant;
}

/** A guest link as the people who control the report see it. */
export interface GuestLink extends GuestLimits {
  id: string;
  label: string | null;
  /** Null for an unnamed report. */
  name: string | null;
  /** The version that the link opens; null if it follows the report. */
  code: string | null;
  title: string;
  hasPassword: boolean;
  createdAt: Instant;
  /** Null if the account was deleted. */
  creator: { slug: string; displayName: string | null } | null;
  uses: number;
  lastUsedAt: Instant | null;
}

/** A guest link that opens now, with the version that it shows. */
export interface OpenGuestLink extends GuestLimits {
  id: string;
  passwordHash: string | null;
  /** Whether the link follows the report. */
  isLive: boolean;
  createdAt: Instant;
  shown: LiveItem;
}

/** What a guest link has after a change. */
export interface GuestLinkChange
  extends Pick<GuestLink, "id" | "label" | "expiresAt" | "takesComments" | "hasPreview"> {
  of: VersionOfItem;
}

/** Openings of one link. */
export interface GuestUses {
  id: string;
  count: number;
  lastAt: Instant;
}

/** The database access of guest links. */
export interface GuestLinkStore extends AdmissionFinder {
  /** Returns false if the report or version no longer exists. Throws `Conflict` if the report has too many links. */
  addGuestLink(change: { link: NewGuestLink; limit: number }): Promise<boolean>;
  /** Returns the links to a report, or only those to one of its versions, newest first. */
  listGuestLinks(of: { itemId: number; code: string | undefined }): Promise<GuestLink[]>;
  /** Returns up to `limit` links to reports of a workspace that the reader controls, newest first. */
  listGuestLinksIn(of: { workspaceId: string; reader: Reader; limit: number }): Promise<GuestLink[]>;
  /** Returns a link with what it opens, for access checks. */
  findGuestLink(id: string): Promise<{ link: GuestLink; found: VersionOfItem } | undefined>;
  /** Returns whether the link still exists. */
  updateGuestLink(change: GuestLinkChange): Promise<boolean>;
  /** Returns whether the link still existed. */
  removeGuestLink(change: { id: string; of: VersionOfItem }): Promise<boolean>;
  /** Returns the link with this hash if it opens now. */
  findOpenGuestLink(hash: string, now: Instant): Promise<OpenGuestLink | undefined>;
  /** Returns those of the links that open now. */
  findOpenGuestLinks(ids: readonly string[], now: Instant): Promise<OpenGuestLink[]>;
  addGuestUses(change: { uses: readonly GuestUses[] }): Promise<void>;
  /** Replaces the one-time code of an address. Returns false if the link no longer exists. */
  setGuestCode(change: { linkId: string; emailHash: string; codeHash: string; expiresAt: Instant }): Promise<boolean>;
  /** Uses up a one-time code. Returns whether it was right; a wrong one uses up one of the tries. */
  redeemGuestCode(use: {
    linkId: string;
    emailHash: string;
    codeHash: string;
    tries: number;
    now: Instant;
  }): Promise<boolean>;
  /** Removes one-time codes and links that can never open again. Returns how many links it removed. */
  clearGuestLinks(before: { codes: Instant; expired: Instant; orphaned: Instant }): Promise<number>;
}

/** Sends mails to guests. */
export interface GuestMail {
  sendGuestCode(mail: { to: string; code: string; title: string; publisher: string }): Promise<void>;
}
