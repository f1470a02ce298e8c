import type { Instant, Scope } from "../model/entities.ts";

/** A program that may ask users to let it act for them. */
export interface Client {
  id: string;
  name: string;
  redirectUris: readonly string[];
}

/** Fetches the metadata document at an address of another site. Throws `Invalid` with a message for the user. */
export type FetchClientDocument = (url: URL) => Promise<unknown>;

/** What a user let a program do. */
export interface Grant {
  id: string;
  userId: string;
  workspaceId: string;
  clientId: string;
  clientName: string;
  scopes: readonly Scope[];
  resource: string;
  createdAt: Instant;
}

/** A grant as its user sees it. */
export interface Connection {
  id: string;
  clientId: string;
  name: string;
  workspaceSlug: string;
  scopes: Scope[];
  createdAt: Instant;
  lastUsedAt: Instant;
}

export type SecretKind = "code" | "refresh";

/** A code or refresh token with its grant. */
export interface KnownSecret {
  kind: SecretKind;
  redirectUri: string | null;
  challenge: string | null;
  expiresAt: Instant;
  usedAt: Instant | null;
  grant: Grant;
}

/** An access token to store, without its grant. */
export interface IssuedToken {
  id: string;
  hash: string;
  expiresAt: Instant;
}

export type DeviceAnswer = "approved" | "denied";

export interface Device {
  name: string;
  requested: Scope[];
}

export interface OAuthStore {
  findClient(id: string): Promise<Client | undefined>;
  /** Adds a client and removes those that weren't used since `unusedSince` and have no grant. */
  addClient(added: { client: Client; at: Instant; unusedSince: Instant }): Promise<void>;
  /** Adds a grant with its code and removes expired grants. */
  addGrant(added: {
    grant: Grant;
    code: { hash: string; redirectUri: string; challenge: string; expiresAt: Instant };
  }): Promise<void>;
  findSecret(hash: string): Promise<KnownSecret | undefined>;
  /**
   * Marks a code or refresh token as used, and adds an access token and the next refresh token to its grant. Changes nothing
   * if it was used before `replayableSince` ("used"), or the user may no longer use the workspace ("gone").
   */
  issue(issued: {
    hash: string;
    now: Instant;
    replayableSince: Instant;
    /** Used refresh tokens are kept until then, to recognize stolen ones. */
    forgetUsedBefore: Instant;
    token: IssuedToken;
    refresh: { hash: string; expiresAt: Instant };
  }): Promise<"issued" | "used" | "gone">;
  listConnections(user: { userId: string; now: Instant }): Promise<Connection[]>;
  /** Removes a grant with its tokens. Returns whether the user had it. */
  removeGrant(removed: { userId: string; id: string; reason: "user" | "program" | "replay" }): Promise<boolean>;
  /** Returns the grant of an access token. */
  findGrantOfToken(hash: string): Promise<Pick<Grant, "id" | "userId" | "clientId"> | undefined>;

  addDevice(device: {
    hash: string;
    userCode: string;
    name: string;
    requested: readonly Scope[];
    expiresAt: Instant;
    now: Instant;
    pause: number;
  }): Promise<void>;
  /** Returns a device that still waits for its user. */
  findDevice(device: { userCode: string; now: Instant }): Promise<Device | undefined>;
  /** Returns whether the device still waited. */
  answerDevice(answered: {
    userCode: string;
    now: Instant;
    answer: DeviceAnswer;
    userId: string;
    workspaceId: string;
    scopes: readonly Scope[];
  }): Promise<boolean>;
  /** Returns what became of a device code, and gives an approved device its access token, once. */
  pollDevice(poll: { hash: string; now: Instant; pauseMore: number; token: IssuedToken }): Promise<DevicePoll>;
}

export type DevicePoll =
  | { kind: "unknown" | "expired" | "waiting" | "too fast" | "denied" }
  | { kind: "issued"; userId: string; scopes: Scope[] };
