import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { newId } from "../model/codes.ts";
import { tokenNotFound, userNotFound, workspaceNotFound } from "../model/common-failures.ts";
import { type Caller, type Instant, SCOPES, type Scope } from "../model/entities.ts";
import { invalid, notFound, unauthenticated } from "../model/failure.ts";
import { countCharacters, TOKEN_NAME_CHARACTERS, TOKENS_PER_USER } from "../model/limits.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { TokenRecord, TokenStore, WorkspaceFinder } from "./ports.ts";

const PREFIX = "vtr_";
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const TOKEN_PATTERN = /^vtr_[0-9A-Za-z]{49}$/;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Milliseconds between updates of `lastUsedAt`, so that not every request costs a write. */
const LAST_USED_PRECISION = 60_000;

interface Dependencies {
  store: { tokens: TokenStore; people: WorkspaceFinder };
  clock: Clock;
  random: Random;
}

/** Creates the service for access tokens, each of which acts for a user in one workspace. */
export function createTokens({ store, clock, random }: Dependencies) {
  /** Returns the caller of a token. Throws `Unauthenticated` if the token is unknown, expired or revoked. */
  async function authenticate(token: string): Promise<Caller> {
    const now = clock.now();
    const known = isWellFormed(token) ? await store.tokens.findCaller(hashOfToken(token), now) : undefined;
    if (known === undefined)
      throw unauthenticated("The access token isn't valid. It may have expired or been revoked. Create a new one.");
    if (known.expiredAt !== undefined)
      throw unauthenticated(`The access token expired on ${atMinute(known.expiredAt)}. Create a new one.`);
    const { caller, lastUsedAt } = known;
    if (lastUsedAt === null || now - lastUsedAt > LAST_USED_PRECISION) {
      // Not awaited, and errors are ignored: a request must not wait for it or fail because of it.
      store.tokens.touchToken({ id: caller.credentialId, usedAt: now }).catch(() => undefined);
    }
    return caller;
  }

  /** Creates a token. Returns its text, which Vitrine doesn't store. Throws `NotFound` or `Invalid`. */
  async function create(requested: {
    userSlug: string;
    workspaceSlug?: string | undefined;
    scopes: readonly string[];
    name?: string | undefined;
    expiresIn?: number | undefined;
  }): Promise<{ id: string; token: string }> {
    const user = await findUser(requested.userSlug);
    const workspaceId = await findWorkspaceOf(user, requested.workspaceSlug);
    const scopes = checkScopes(requested.scopes);
    const name = checkTokenName(requested.name ?? "Token");
    return add({ userId: user.id, workspaceId, name, scopes, expiresIn: requested.expiresIn ?? null });
  }

  /** Creates a token for the caller. Throws `NotFound`, or `Conflict` if they have too many. */
  async function createOwn(
    caller: Caller,
    requested: { owner: string; name: string; scopes: readonly Scope[]; expiresIn: number | null },
  ): Promise<TokenRecord & { token: string }> {
    const workspace = caller.memberships.find(({ slug }) => slug === requested.owner);
    if (workspace === undefined) throw workspaceNotFound(requested.owner, caller);
    const { name, expiresIn } = requested;
    const scopes = SCOPES.filter((scope) => requested.scopes.includes(scope));
    const { userId } = caller;
    const added = await add({ userId, workspaceId: workspace.id, name, scopes, expiresIn, limit: TOKENS_PER_USER });
    return { ...added, name, scopes, workspaceSlug: workspace.slug, lastUsedAt: null };
  }

  async function add(requested: {
    userId: string;
    workspaceId: string;
    name: string;
    scopes: readonly Scope[];
    expiresIn: number | null;
    limit?: number;
  }) {
    const { expiresIn, ...rest } = requested;
    const createdAt = clock.now();
    const expiresAt = expiresIn === null ? null : createdAt + expiresIn;
    const id = newId(random, "tok");
    const token = newToken(random);
    await store.tokens.addToken({ ...rest, id, hash: hashOfToken(token), createdAt, expiresAt });
    return { id, token, createdAt, expiresAt };
  }

  async function findUser(slug: string) {
    const user = await store.people.findUserBySlug(slug);
    if (user === undefined) throw userNotFound(slug);
    return user;
  }

  async function findWorkspaceOf(user: { id: string; workspaceId: string }, slug: string | undefined) {
    if (slug === undefined) return user.workspaceId;
    const workspace = await store.people.findWorkspace(slug);
    const role = workspace && (await store.people.findRole(workspace.id, user.id));
    if (workspace === undefined || role === undefined)
      throw notFound(`The user isn't a member of a workspace ${quote(slug)}. Check the slug.`);
    return workspace.id;
  }

  /** Returns a user's tokens without their secrets. Throws `NotFound`. */
  async function list(userSlug: string): Promise<TokenRecord[]> {
    return store.tokens.listTokens((await findUser(userSlug)).id);
  }

  /** Revokes a user's token immediately. Throws `NotFound`. */
  async function revoke(userSlug: string, id: string): Promise<void> {
    const user = await findUser(userSlug);
    if (!(await store.tokens.removeToken({ userId: user.id, id }))) throw tokenNotFound(id);
  }

  /** Returns the caller's tokens, newest first. */
  const listOwn = ({ userId }: Caller): Promise<TokenRecord[]> => store.tokens.listTokens(userId);

  /** Revokes one of the caller's tokens immediately. Throws `NotFound`. */
  async function revokeOwn({ userId }: Caller, id: string): Promise<void> {
    if (!(await store.tokens.removeToken({ userId, id }))) throw tokenNotFound(id);
  }

  /** Revokes all of the caller's tokens immediately. */
  async function revokeAllOwn({ userId }: Caller): Promise<void> {
    await store.tokens.removeTokens({ userId });
  }

  return { authenticate, create, list, revoke, createOwn, listOwn, revokeOwn, revokeAllOwn };
}

export type Tokens = ReturnType<typeof createTokens>;

/** Returns `vtr_`, 32 random bytes and a checksum, which detects mistyped tokens without a database query. */
export function newToken(random: Random): string {
  let value = 0n;
  for (const byte of random.bytes(SECRET_BYTES)) value = (value << 8n) | BigInt(byte);
  const secret = PREFIX + inBase62(value, SECRET_LENGTH);
  return secret + checksumOf(secret);
}

/** Returns whether a token has the right form and checksum. */
export function isWellFormed(token: string): boolean {
  if (!TOKEN_PATTERN.test(token)) return false;
  return checksumOf(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH);
}

const checksumOf = (secret: string) => inBase62(BigInt(crc32(secret)), CHECKSUM_LENGTH);

function inBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
}

/** Returns the hash by which a token is stored. */
export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Returns a time such as `2026-03-01 at 14:05 UTC`. */
const atMinute = (time: Instant) => new Date(time).toISOString().replace(/T(\d\d:\d\d).*/, " at $1 UTC");

function checkScopes(scopes: readonly string[]): Scope[] {
  const known = scopes.map((scope) => {
    const match = SCOPES.find((candidate) => candidate === scope);
    if (match === undefined) throw invalid(`scopes has the unknown scope ${quote(scope)}. Use ${SCOPES.join(", ")}.`);
    return match;
  });
  if (known.length === 0) throw invalid(`scopes is empty. Use at least one of ${SCOPES.join(", ")}.`);
  return [...new Set(known)];
}

function checkTokenName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || countCharacters(trimmed) > TOKEN_NAME_CHARACTERS)
    throw invalid(`name must have 1 to ${TOKEN_NAME_CHARACTERS} characters.`);
  return trimmed;
}
