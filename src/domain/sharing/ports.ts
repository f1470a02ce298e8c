import type { Authorized, ItemBatch, ShareSubject, VersionOfItem } from "../model/access.ts";
import type { Instant, Item, Person, Visibility } from "../model/entities.ts";

/** Stands for all organizations of a person, where a version is shared with more than its report. */
export const ALL_ORGANIZATIONS = "*";

export const SHARED_SORTS = ["updated", "title"] as const;
export type SharedSort = (typeof SHARED_SORTS)[number];

/** A person whom something is shared with by name. */
export interface SharedPerson {
  email: string;
  /** Null unless the person belongs to one of the organizations of the user who asks. */
  displayName: string | null;
  addedAt: Instant;
}

export interface PeopleChange {
  subject: Authorized<"control", ShareSubject>;
  sharerId: string;
  add: readonly { id: string; email: string }[];
  remove: readonly string[];
  /** People that the report can be shared with at most. */
  limit: number;
  now: Instant;
}

/** What a change of people has changed. */
export interface ChangedPeople {
  added: string[];
  removed: string[];
  /** The users with these addresses. */
  userIds: string[];
}

/** Who can read a report, apart from people who are added by name. */
export interface Audience {
  visibility: Visibility;
  /** The only organization that can read it; null for all, and for other visibilities. */
  organizationId: string | null;
}

/** What changes for one of several reports. */
export interface ItemShare {
  item: Authorized<"control", Item>;
  whole: Authorized<"control", ShareSubject>;
  /** Undefined to keep it. */
  audience: Audience | undefined;
  add: readonly { id: string; email: string }[];
  remove: readonly string[];
}

export interface ItemsShare {
  batch: Authorized<"control", ItemBatch>;
  changes: readonly ItemShare[];
  sharerId: string;
  /** People that each report can be shared with at most. */
  limit: number;
  now: Instant;
}

/** What a change has changed for one of several reports. */
export interface SharedItem {
  before: Audience;
  /** The versions whose visibility was set. */
  codes: string[];
  people: ChangedPeople;
}

/** What became of each report, and whether setting it back would restore all; or the first that no longer exists. */
export type SharedItems = { shared: SharedItem[]; isExact: boolean } | { missing: number };

export interface Organization {
  id: string;
  slug: string;
  displayName: string | null;
}

/** The last entry of a page. The next page begins after it. */
export interface SharedPlace {
  key: string | number;
  id: number;
  /** Empty for a whole report. */
  code: string;
}

/** One page of what is shared with a person. */
export interface SharedQuery {
  person: Person;
  /** Folded words. A report has to contain all of them. */
  words: readonly string[];
  ownerSlug: string | undefined;
  sort: SharedSort;
  isDescending: boolean;
  after: SharedPlace | undefined;
  limit: number;
}

/** A report that is shared with a person, or one version of it. */
export interface SharedEntry {
  name: string | null;
  code: string;
  isVersion: boolean;
  title: string;
  visibility: Visibility;
  ownerSlug: string;
  ownerName: string | null;
  /** Null if the account was deleted. */
  sharedBy: { slug: string; displayName: string | null } | null;
  sharedAt: Instant;
  createdAt: Instant;
  updatedAt: Instant;
  thumbnail: string | null;
}

export interface SharedPage {
  entries: SharedEntry[];
  /** Undefined on the last page. */
  next: SharedPlace | undefined;
}

export interface NewAccessRequest {
  id: string;
  itemId: number;
  code: string | null;
  userId: string;
  message: string | null;
  /** Requests that were declined since then stay declined. */
  declinedSince: Instant;
  now: Instant;
}

/** An open request for access. */
export interface AccessRequest {
  id: string;
  name: string | null;
  code: string;
  isVersion: boolean;
  title: string;
  ownerSlug: string;
  email: string;
  displayName: string | null;
  message: string | null;
  createdAt: Instant;
}

export interface AccessAnswer {
  subject: Authorized<"control", ShareSubject>;
  id: string;
  now: Instant;
}

export interface SharingStore {
  listPeople(of: { itemId: number; code: string | null; viewerId: string }): Promise<SharedPerson[]>;
  /** Changes all of it, or nothing. Throws `Invalid` if too many people could read the report, or `NotFound`. */
  changePeople(change: PeopleChange): Promise<ChangedPeople>;
  /** Changes all reports, or none. Throws `Invalid` if too many people could read one of them. */
  shareItems(change: ItemsShare): Promise<SharedItems>;
  /** Returns the organizations of the person whose workspace it is; none for an organization's workspace. */
  listOrganizationsOf(workspaceId: string): Promise<Organization[]>;
  listShared(query: SharedQuery): Promise<SharedPage>;
  /** Like `listShared`, with words. */
  searchShared(query: SharedQuery): Promise<SharedPage>;
  /** Adds a request, or replaces the message of the user's last one. Returns whether anyone has to answer it. */
  addAccessRequest(request: NewAccessRequest): Promise<boolean>;
  /** Returns open requests for reports that a user made or whose workspaces they govern, newest first. */
  listAccessRequests(of: { userId: string; limit: number }): Promise<AccessRequest[]>;
  /** Returns the report that an open request asks for. */
  findAccessRequest(id: string): Promise<{ found: VersionOfItem; code: string | null } | undefined>;
  /** Shares the report with the user who asks. Returns that user; undefined if the request is over. */
  acceptAccessRequest(
    answer: AccessAnswer & { personId: string; sharerId: string; limit: number },
  ): Promise<{ userId: string; email: string } | undefined>;
  /** Returns whether the request was open. */
  declineAccessRequest(answer: AccessAnswer): Promise<boolean>;
  /** Returns the addresses of those who can answer requests for a report. */
  listAnswerers(itemId: number): Promise<{ userId: string; email: string }[]>;
}

/** Sends mails about sharing. Each call rejects if the mail was not accepted. */
export interface SharingMail {
  sendShared(mail: { to: string; sharer: string; title: string; url: string }): Promise<void>;
  sendSharedMany(mail: { to: string; sharer: string; count: number; url: string }): Promise<void>;
  sendAccessRequest(mail: {
    to: string;
    person: string;
    title: string;
    message: string | null;
    url: string;
  }): Promise<void>;
}
