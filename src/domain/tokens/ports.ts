import type { Caller, Instant, Role, Scope, Workspace } from "../model/entities.ts";

export interface TokenRecord {
  id: string;
  name: string;
  scopes: Scope[];
  workspaceSlug: string;
  createdAt: Instant;
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
}

/** A token that is valid, or the time at which it expired. */
export type KnownToken =
  | { caller: Caller; lastUsedAt: Instant | null; expiredAt?: never }
  | { caller?: never; expiredAt: Instant };

export interface TokenStore {
  /** Returns what a token stands for; undefined if it is unknown or revoked, or its user left the workspace. */
  findCaller(tokenHash: string, now: Instant): Promise<KnownToken | undefined>;
  /** Throws `Conflict` if the user would have more tokens than the limit. */
  addToken(token: {
    id: string;
    hash: string;
    userId: string;
    workspaceId: string;
    name: string;
    scopes: readonly Scope[];
    createdAt: Instant;
    expiresAt: Instant | null;
    /** Maximum tokens of the user, this one included; undefined for no limit. */
    limit?: number | undefined;
  }): Promise<void>;
  listTokens(userId: string): Promise<TokenRecord[]>;
  /** Returns whether the user had this token. */
  removeToken(token: { userId: string; id: string }): Promise<boolean>;
  /** Removes all tokens of a user. Returns how many there were. */
  removeTokens(tokens: { userId: string }): Promise<number>;
  touchToken(token: { id: string; usedAt: Instant }): Promise<void>;
}

/** Finds the user and workspace for a new token. */
export interface WorkspaceFinder {
  /** Returns the user whose own workspace has this slug. */
  findUserBySlug(slug: string): Promise<{ id: string; workspaceId: string } | undefined>;
  findWorkspace(slug: string): Promise<Workspace | undefined>;
  findRole(workspaceId: string, userId: string): Promise<Role | undefined>;
}
