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

export interface TokenStore {
  /** Who a token speaks for; undefined when it is unknown, revoked, expired or its user left the workspace. */
  findCaller(tokenHash: string, now: Instant): Promise<{ caller: Caller; lastUsedAt: Instant | null } | undefined>;
  /** Throws `Conflict` when the user would have more tokens than the limit. */
  addToken(token: {
    id: string;
    hash: string;
    userId: string;
    workspaceId: string;
    name: string;
    scopes: readonly Scope[];
    createdAt: Instant;
    expiresAt: Instant | null;
    /** As many tokens as the user may have then; undefined for any number. */
    limit?: number | undefined;
  }): Promise<void>;
  listTokens(userId: string): Promise<TokenRecord[]>;
  /** Whether there was such a token of that user. */
  removeToken(token: { userId: string; id: string }): Promise<boolean>;
  /** Removes all of a user's tokens and returns how many there were. */
  removeTokens(tokens: { userId: string }): Promise<number>;
  touchToken(token: { id: string; usedAt: Instant }): Promise<void>;
}

/** Finds whose token it is to be, and for which workspace. */
export interface WorkspaceFinder {
  findUserBySlug(slug: string): Promise<{ id: string; workspaceId: string } | undefined>;
  findWorkspace(slug: string): Promise<Workspace | undefined>;
  findRole(workspaceId: string, userId: string): Promise<Role | undefined>;
}
