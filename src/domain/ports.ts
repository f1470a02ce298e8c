import type { Authorized, VersionOfItem } from "./access.ts";
import type {
  AuthRecords,
  Holding,
  IdentityStore,
  NewUser,
  Profile,
  SessionStore,
  SetUpStore,
} from "./account-ports.ts";
import type { BatchStore, CabinetStore, ShortcutStore, TagStore } from "./cabinet-ports.ts";
import type { DeletionStore } from "./deletion-ports.ts";
import type { DetailStore } from "./detail-ports.ts";
import type { ExpectedCode } from "./expected-code.ts";
import type { FileEntry } from "./files.ts";
import type { InstallationStore, SweepStore } from "./installation-ports.ts";
import type { InvitationStore, MemberStore } from "./member-ports.ts";
import type { Folder, Instant, Item, Membership, Reader, Role, Tag, Version, Visibility, Workspace } from "./model.ts";
import type { Plan } from "./plans.ts";
import type { PublishStore, WantedFolder } from "./publish-ports.ts";
import type { SearchStore } from "./search-ports.ts";
import type { StorageMode } from "./storage-mode.ts";
import type { TokenStore } from "./token-ports.ts";

export interface Clock {
  now(): Instant;
}

export interface Random {
  bytes(length: number): Uint8Array;
}

/** Tells operators what no caller is told. */
export interface OperatorLog {
  error(event: OperatorNote): void;
  warn(event: OperatorNote): void;
  info(event: OperatorNote): void;
}

export interface OperatorNote {
  message: string;
  error?: unknown;
}

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False as well where the hash is none. */
  verify(password: string, hash: string): Promise<boolean>;
}

/** What a store says of an object without giving it. */
export interface StoredObject {
  key: string;
  /** Bytes. */
  size: number;
  modifiedAt: Instant;
  /** MD5 of the bytes, hexadecimal, where the store has something that looks like one. */
  md5?: string | undefined;
}

/** What a response can have as its body without the bytes being in memory. */
export type Streamable = Blob | ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Immutable objects by key. A key is written once and never again with other content; `put` answers when the object
 * would survive a power cut, and takes the content over: the caller has it no longer. Throws `StorageFull` when there is
 * no room, and `Unavailable` when the store does not answer, which leaves open whether an object was put.
 */
export interface Blobs {
  put(key: string, content: Uint8Array): Promise<void>;
  /** The bytes of `[offset, offset + length)`, or undefined when there is no such object. */
  read(key: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /**
   * The same range as something that can be streamed without being held in memory. Throws `DamagedObject` when the object
   * is missing or ends before the range does; a stream that is under way breaks off with it.
   */
  slice(key: string, offset: number, length: number): Promise<Streamable>;
  /** The whole object, or undefined. */
  readAll(key: string): Promise<Uint8Array | undefined>;
  /** Removes objects; those that are not there do not matter. */
  delete(keys: readonly string[]): Promise<void>;
  /** Forgets copies that are kept near at hand, so that the next read gives what the store itself has. */
  forget(keys: readonly string[]): Promise<void>;
  /** All objects, or those whose key begins with a character, in no order that matters. */
  list(beginning?: string): AsyncIterable<StoredObject>;
  /** Throws when the store cannot be used just now, and says soon which it is. */
  check(): Promise<void>;
}

/** The id of the installation that a place of objects belongs to. It is no object: never listed, read or deleted as one. */
export interface InstallationMark {
  read(): Promise<string | undefined>;
  /** Notes an id, durably, unless there is one already. Returns the one that is noted then. */
  claim(id: string): Promise<string>;
  /** Notes an id in place of any other. */
  replace(id: string): Promise<void>;
}

/** Objects in a place that says whose they are. */
export interface MarkedBlobs extends Blobs {
  readonly installation: InstallationMark;
}

export interface ItemStore {
  /** A group with its current version. */
  findGroup(name: string): Promise<VersionOfItem | undefined>;
  /**
   * The same with its newest versions, all as they were at one moment; undefined as well where the group is not wanted.
   * Versions of such a one are not even read: how long that takes would tell that it exists.
   */
  findGroupWithVersions(
    name: string,
    limit: number,
    isWanted: (found: VersionOfItem) => boolean,
  ): Promise<{ found: VersionOfItem; versions: Version[] } | undefined>;
  findVersion(code: string): Promise<VersionOfItem | undefined>;
  /** Up to `limit` versions, those with a number below `beforeNo` where that is given, newest first. */
  listVersions(page: { itemId: number; beforeNo: number | undefined; limit: number }): Promise<Version[]>;
  findFolder(folderId: string): Promise<Folder | undefined>;
  listTags(itemId: number): Promise<Tag[]>;
  /** Throws `Conflict` when the new name is taken, `NotFound` when the item is gone. */
  rename(change: { item: Authorized<"modify", Item>; newName: string; now: Instant }): Promise<void>;
  /** Throws `Invalid` when the version is gone or not of this item, `Conflict` when another code is expected. */
  setLatest(change: {
    item: Authorized<"modify", Item>;
    code: string;
    expectedCode: ExpectedCode;
    reader: Reader;
    now: Instant;
  }): Promise<void>;
  /** Codes of the versions that were deleted with the group. */
  deleteItem(change: { item: Authorized<"control", Item>; now: Instant }): Promise<string[]>;
  /** Whether the version was still there. The last version takes its item along. */
  deleteVersion(change: { found: Authorized<"control", VersionOfItem>; now: Instant }): Promise<boolean>;
  /** Sets an item and all its versions; returns the versions' codes. */
  setItemVisibility(change: {
    item: Authorized<"control", Item>;
    visibility: Visibility;
    now: Instant;
  }): Promise<string[]>;
  /** Sets one version; a standalone report's item follows it. */
  setVersionVisibility(change: {
    found: Authorized<"control", VersionOfItem>;
    visibility: Visibility;
    now: Instant;
  }): Promise<void>;
  /** Files an item by titles, making drawer and folder where they are missing; null unfiles. */
  setFolder(change: { item: Authorized<"modify", Item>; folder: WantedFolder | null; now: Instant }): Promise<void>;
}

/** One line of the list: an item the caller may read, with its current version. */
export interface ListedItem {
  id: number;
  name: string | null;
  ownerSlug: string;
  code: string;
  title: string;
  versionCount: number;
  visibility: Visibility;
  currentVisibility: Visibility;
  /** Of the current version. */
  storage: StorageMode;
  folderId: string | null;
  folderTitle: string | null;
  drawerTitle: string | null;
  createdAt: Instant;
}

export interface ListStore {
  /** Up to `limit` items of one workspace that its member may read, with an id below `beforeId`, newest first. */
  listItems(page: {
    userId: string;
    membership: Membership;
    kind: "group" | "report";
    beforeId: number | undefined;
    limit: number;
  }): Promise<ListedItem[]>;
}

/** What serving needs to know of a version; `visibility` is the part that can change. */
export interface ServedVersion {
  visibility: Visibility;
  files: readonly FileEntry[];
  /** Pages with a stand-in for storage. */
  standIns: readonly FileEntry[];
}

export interface ServeStore {
  findServed(code: string): Promise<ServedVersion | undefined>;
  findVisibility(code: string): Promise<Visibility | undefined>;
  /**
   * A number that changes whenever another process may have changed the data; undefined when that cannot be told, and
   * then nothing that can change may be kept in memory.
   */
  changeMark(): number | undefined;
}

/** A group with its current version, and whose it is. */
export interface LiveItem extends VersionOfItem {
  ownerSlug: string;
  ownerName: string | null;
}

/** What live links show; each a single keyed read. */
export interface LiveStore {
  findLiveByName(name: string): Promise<LiveItem | undefined>;
  findLiveById(itemId: number): Promise<LiveItem | undefined>;
}

export interface AccountStore {
  countUsers(): Promise<number>;
  /** Throws `Conflict` when e-mail or slug is taken. */
  addUser(user: NewUser): Promise<void>;
  /** The user whose own workspace has this slug. */
  findUserBySlug(slug: string): Promise<{ id: string; workspaceId: string } | undefined>;
  findWorkspace(slug: string): Promise<Workspace | undefined>;
  findRole(workspaceId: string, userId: string): Promise<Role | undefined>;
  /** Throws `Conflict` when the slug is taken. */
  addOrganization(organization: {
    id: string;
    slug: string;
    name: string;
    ownerId: string;
    plan: Plan;
    now: Instant;
  }): Promise<void>;
  /** Throws `Conflict` when the user is a member already. */
  addMember(member: { workspaceId: string; userId: string; role: Role; now: Instant }): Promise<void>;
  /** Whether there is such a workspace. */
  setPlan(change: { slug: string; plan: Plan }): Promise<boolean>;
  findProfile(userId: string): Promise<Profile | undefined>;
  /** The user's workspaces, in no order. */
  listHoldings(userId: string): Promise<Holding[]>;
  /** Whether the user is one of the workspace's owners and admins. A person's own names the person as well. */
  setDisplayName(change: { workspaceId: string; userId: string; displayName: string; now: Instant }): Promise<boolean>;
}

/** What shows that changes are durable. */
export interface ProbeStore {
  /** Makes a change that leaves nothing behind. Resolves when it is durable. */
  write(probe: { id: string; now: Instant }): Promise<void>;
}

export interface Store {
  readonly publish: PublishStore;
  readonly items: ItemStore;
  readonly batches: BatchStore;
  readonly deletions: DeletionStore;
  readonly cabinet: CabinetStore;
  readonly tags: TagStore;
  readonly shortcuts: ShortcutStore;
  readonly details: DetailStore;
  readonly lists: ListStore;
  readonly search: SearchStore;
  readonly serve: ServeStore;
  readonly live: LiveStore;
  readonly tokens: TokenStore;
  readonly accounts: AccountStore;
  readonly members: MemberStore;
  readonly invitations: InvitationStore;
  readonly identities: IdentityStore;
  readonly sessions: SessionStore;
  readonly setUp: SetUpStore;
  readonly authRecords: AuthRecords;
  readonly sweep: SweepStore;
  readonly probes: ProbeStore;
  readonly installation: InstallationStore;
  close(): Promise<void>;
}
